"""What keeps many models from a target: counted by root cause, as rows, JSON and a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from mien.engine.diagnose.cause import Cause, Result
from mien.errors import MissingError

_WIDTH, _ROW, _LABEL, _BAR = 860, 34, 210, 470
_COLOURS: Final = ("#2c5f8a", "#c0392b", "#d68910", "#1e8449", "#6c3483", "#117a65", "#7b7d7d")
_BUILDS: Final = "#9db8d2"


@dataclass(frozen=True, slots=True)
class Row:
    """A root cause: how many models have it, their share of those that fail, and where it shows most."""

    cause: Cause
    models: int
    share: float
    operators: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Distribution:
    """All models, those that build, and the rest by root cause, the most frequent first."""

    target: str
    models: int
    builds: int
    rows: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        rows = [
            {"cause": row.cause, "models": row.models, "share": row.share, "operators": dict(row.operators)}
            for row in self.rows
        ]
        return {"target": self.target, "models": self.models, "builds": self.builds, "causes": rows}


def models_in(folder: Path) -> list[Path]:
    """Return the model files in a folder and below; raises `MissingError` when there are none."""
    found = sorted(path for kind in ("*.onnx", "*.tflite") for path in folder.rglob(kind) if path.is_file())
    if not found:
        raise MissingError(f"no .onnx or .tflite file in {str(folder)!r}; name a folder with models")
    return found


def distribution(target: str, results: Sequence[Result]) -> Distribution:
    """Count models by their root cause, which is the first of their diagnoses."""
    failed = [each for each in results if not each.builds]
    counted = Counter(each.diagnoses[0].cause for each in failed)
    rows = [
        Row(cause, count, count / len(failed), tuple(_operators(failed, cause).most_common(6)))
        for cause, count in counted.most_common()
    ]
    return Distribution(target, len(results), len(results) - len(failed), tuple(rows))


def _operators(failed: Iterable[Result], cause: Cause) -> Counter[str]:
    firsts = (each.diagnoses[0] for each in failed)
    return Counter(first.operator for first in firsts if first.cause is cause and first.operator)


def svg(found: Distribution) -> str:
    """Return the distribution as bars."""
    bars = [*_bars(found)]
    height = 70 + _ROW * len(bars)
    head = f"What keeps {found.models} models from {found.target}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
            f'height="{height}" font-family="sans-serif" font-size="15">',
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            f'<text x="20" y="34" font-size="19" font-weight="bold">{escape(head)}</text>',
            *(_drawn(place, *bar) for place, bar in enumerate(bars)),
            "</svg>\n",
        ]
    )


def _bars(found: Distribution) -> Iterator[tuple[str, int, int, str]]:
    """Yield label, count, the greatest count, colour."""
    most = max([found.builds, *(row.models for row in found.rows), 1])
    yield "builds", found.builds, most, _BUILDS
    for place, row in enumerate(found.rows):
        yield f"{row.cause} ({row.share:.0%})", row.models, most, _COLOURS[place % len(_COLOURS)]


def _drawn(place: int, label: str, count: int, most: int, colour: str) -> str:
    y = 56 + _ROW * place
    width = max(1, round(_BAR * count / most)) if count else 0
    return (
        f'<text x="{_LABEL + 30}" y="{y + 18}" text-anchor="end">{escape(label)}</text>'
        f'<rect x="{_LABEL + 40}" y="{y}" width="{width}" height="{_ROW - 10}" fill="{colour}"/>'
        f'<text x="{_LABEL + 48 + width}" y="{y + 18}">{count:,}</text>'
    )

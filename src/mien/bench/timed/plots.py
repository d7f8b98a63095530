"""What a bench asks to be drawn, as plain data: how it is drawn is the report's affair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from mien.errors import CorruptError, nearest

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Stages over time: (name, milliseconds at which it begins, its length)."""

    title: str
    stages: tuple[tuple[str, float, float], ...]
    unit: str = "ms"


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines over one axis: name → points (x, y), left to right; `limit`: a line that nothing should cross."""

    title: str
    unit: str
    lines: Mapping[str, tuple[Point, ...]]
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Curves:
    """Panels beside each other over the same x; `mark`: an x with the words that stand there."""

    title: str
    x: str
    panels: tuple[Panel, ...]
    mark: tuple[float, str] | None = None
    doubles: bool = False


@dataclass(frozen=True, slots=True)
class Front:
    """Points (name, x, y) of which less is better on both axes; the front is found by whoever draws it."""

    title: str
    x: str
    y: str
    points: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Shares:
    """What wholes are made of: name of the whole → {part: value}."""

    title: str
    unit: str
    rows: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Grid:
    """A status (`ok`, `likely`, `warning`, `failed`, `not run`) and a remark for each row and column."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[str, Mapping[str, tuple[str, str]]]


Plot = Waterfall | Curves | Front | Shares | Grid
KINDS: Final[Mapping[str, type]] = {
    "waterfall": Waterfall, "curves": Curves, "front": Front, "shares": Shares, "grid": Grid,
}  # fmt: skip
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def to_json(plot: Plot) -> dict[str, Any]:
    """Return plain data with the plot's kind."""
    return {"kind": _NAMES[type(plot)]} | asdict(plot)


def from_json(table: Mapping[str, Any]) -> Plot:
    """Read what `to_json` wrote; raises `CorruptError`."""
    fields = {name: value for name, value in table.items() if name != "kind"}
    kind = KINDS.get(str(table.get("kind")))
    if kind is None:
        raise CorruptError(f"no plot of kind {table.get('kind')!r}{nearest(str(table.get('kind')), KINDS)}")
    try:
        if kind is Curves:
            panels = [Panel(**each | {"lines": _frozen(each["lines"])}) for each in fields["panels"]]
            fields["panels"] = panels
        return kind(**{name: _frozen(value) for name, value in fields.items()})  # type: ignore[no-any-return]
    except (TypeError, KeyError, AttributeError) as error:
        raise CorruptError(f"a plot of kind {table['kind']!r} can not be read: {error}") from None


def _frozen(value: Any) -> Any:
    """Return lists as tuples, at any depth."""
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(_frozen(each) for each in value) if isinstance(value, (list, tuple)) else value

"""What plans buy: speed and size against error, as rows and as a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mien.atomic import replacing
from mien.engine.metrics import higher_is_better
from mien.errors import require

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 1000, 620, 90, 40, 70, 70
INK, PALE, LINE, CHOSEN, OTHER = "#222222", "#999999", "#9db8d2", "#c0392b", "#2c5f8a"


@dataclass(frozen=True, slots=True)
class Trial:
    """A plan as it was measured: `kept` nodes in fp32, the metric's value, time and file size."""

    name: str
    kept: int
    value: float
    ms: float
    size_bytes: int
    chosen: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return plain data for JSON, which has no infinity: `"inf"`."""
        return asdict(self) | ({} if math.isfinite(self.value) else {"value": str(self.value)})

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> Trial:
        """Return what `to_json` was made of."""
        return cls(**{**table, "value": float(table["value"])})


def front(trials: Sequence[Trial], *, higher_is_better: bool = False) -> list[Trial]:
    """Return the trials that no other beats in both time and value, fastest first."""
    best: list[Trial] = []
    sound = [trial for trial in trials if not math.isnan(trial.value)]
    for trial in sorted(sound, key=lambda t: (t.ms, -t.value if higher_is_better else t.value)):
        if not best or (trial.value > best[-1].value if higher_is_better else trial.value < best[-1].value):
            best.append(trial)
    return best


def draw(trials: Sequence[Trial], metric: str, limit: float | None, path: Path) -> None:
    """Write a PNG: time to the right, the metric upwards, the front as a line; raises `ResourceError`."""
    image_of, pen_of = require("PIL.Image", extra="video"), require("PIL.ImageDraw", extra="video")
    image = image_of.new("RGB", (WIDTH, HEIGHT), "white")
    _paint(pen_of.Draw(image), list(trials), metric, limit)
    with replacing(path) as aside:
        image.save(aside, "PNG")


def _paint(pen: Any, trials: list[Trial], metric: str, limit: float | None) -> None:
    font = require("PIL.ImageFont", extra="video").load_default
    most_ms = 1.1 * max(t.ms for t in trials)
    finite = [t.value for t in trials if abs(t.value) < float("inf")]
    most = 1.15 * max([*finite, limit or 0.0, 1e-12])

    def at(ms: float, value: float) -> tuple[float, float]:
        x = LEFT + ms / most_ms * (WIDTH - LEFT - RIGHT)
        return x, HEIGHT - BOTTOM - (value if value <= most else most) / most * (HEIGHT - TOP - BOTTOM)

    pen.text((LEFT, 18), f"{metric} against time of one run", INK, font=font(22))
    for step in range(6):
        x, y = at(most_ms * step / 5, most * step / 5)
        pen.line([LEFT, y, WIDTH - RIGHT, y], fill="#eeeeee")
        pen.text((x - 12, HEIGHT - BOTTOM + 8), f"{most_ms * step / 5:.3g}", PALE, font=font(15))
        pen.text((LEFT - 60, y - 9), f"{most * step / 5:.3g}", PALE, font=font(15))
    pen.line([*at(0, most), *at(0, 0), *at(most_ms, 0)], fill=PALE, width=2)
    pen.text((WIDTH - RIGHT - 30, HEIGHT - 34), "ms", PALE, font=font(15))
    if limit is not None:
        pen.line([*at(0, limit), *at(most_ms, limit)], fill=CHOSEN)
        pen.text((LEFT + 8, at(0, limit)[1] - 20), f"budget {limit:g}", CHOSEN, font=font(15))
    best = front(trials, higher_is_better=higher_is_better(metric))
    pen.line([xy for t in best for xy in at(t.ms, t.value)], fill=LINE, width=3)
    for trial in trials:
        _dot(pen, at(trial.ms, trial.value), trial, font(15))


def _dot(pen: Any, place: tuple[float, float], trial: Trial, font: Any) -> None:
    x, y = place
    color = CHOSEN if trial.chosen else OTHER
    pen.ellipse([x - 6, y - 6, x + 6, y + 6], fill=color)
    label = f"{trial.name}, {trial.size_bytes / 1e6:.1f} MB"
    left = x + 10 if x < WIDTH - 260 else x - 10 - pen.textlength(label, font=font)
    pen.text((left, y - 22), label, color, font=font)

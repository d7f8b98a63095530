"""Throughput and latency over the batch size, as a picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from mien.atomic import replacing
from mien.bench.batches import ENGINE, Batches
from mien.errors import InputError, require

WIDTH, HEIGHT, LEFT, GAP, TOP, BOTTOM = 1200, 520, 80, 90, 80, 60
INK, PALE, KNEE = "#222222", "#999999", "#c0392b"
COLOURS: Final = ("#2c5f8a", "#c98b2b", "#5b8c5a", "#8a5a8c", "#777777")
Place = Callable[[int, float], tuple[float, float]]


def draw(found: Batches, path: Path) -> None:
    """Write a PNG: requests a second and milliseconds a batch for each engine, the knee marked.

    Raises `InputError` unless `path` ends in `.png`, and `ResourceError`.
    """
    if path.suffix.lower() != ".png":
        raise InputError(f"{path} is no name for a picture; end it in .png")
    image_of, pen_of = require("PIL.Image", extra="video"), require("PIL.ImageDraw", extra="video")
    image = image_of.new("RGB", (WIDTH, HEIGHT), "white")
    pen = pen_of.Draw(image)
    half = (WIDTH - LEFT - GAP) // 2
    _panel(pen, found, (LEFT, half), "requests a second", lambda row, name: row.per_s(name))
    _panel(pen, found, (LEFT + half + GAP, half - 20), "ms a batch (median)", _latency)
    _legend(pen, found)
    with replacing(path) as aside:
        image.save(aside, "PNG")


def _latency(row: Any, name: str) -> float:
    return float(row.times[name].p50_ms)


def _panel(
    pen: Any, found: Batches, place: tuple[int, int], title: str, value: Callable[[Any, str], float]
) -> None:
    left, width = place
    most = 1.1 * max(value(row, name) for row in found.rows for name in row.times)
    steps = max(1, len(found.rows) - 1)

    def at(index: int, height: float) -> tuple[float, float]:
        return left + width * index / steps, HEIGHT - BOTTOM - height / most * (HEIGHT - TOP - BOTTOM)

    _axes(pen, found, at, (left, width, most), title)
    for colour, name in zip(COLOURS, _names(found), strict=False):
        points = [at(i, value(row, name)) for i, row in enumerate(found.rows) if name in row.times]
        pen.line(points, fill=colour, width=4 if name == ENGINE else 2)
        for x, y in points:
            pen.ellipse([x - 4, y - 4, x + 4, y + 4], fill=colour)


def _axes(pen: Any, found: Batches, at: Place, size: tuple[int, int, float], title: str) -> None:
    font = require("PIL.ImageFont", extra="video").load_default
    left, width, most = size
    pen.text((left, TOP - 28), title, INK, font=font(17))
    step = _step(most)
    for i in range(int(most / step) + 1):
        _, y = at(0, i * step)
        pen.line([left, y, left + width, y], fill="#eeeeee")
        text = f"{i * step:,.10g}"
        pen.text((left - 10 - pen.textlength(text, font=font(14)), y - 9), text, PALE, font=font(14))
    for i, row in enumerate(found.rows):
        x, y = at(i, 0)
        pen.text((x - 6, y + 8), str(row.batch), PALE, font=font(14))
        if row.batch == found.knee:
            pen.line([x, y, x, TOP], fill=KNEE)
            pen.text((x + 6, TOP), "knee", KNEE, font=font(14))
    pen.text((left, HEIGHT - 28), "requests in a batch", PALE, font=font(14))


def _step(most: float) -> float:
    """Return 1, 2 or 5 times a power of ten, of which four to ten reach `most`."""
    power = 10.0 ** math.floor(math.log10(most / 4))
    return power * max(factor for factor in (1, 2, 5) if factor * power <= most / 4)


def _legend(pen: Any, found: Batches) -> None:
    font = require("PIL.ImageFont", extra="video").load_default
    x = float(LEFT)
    for colour, name in zip(COLOURS, _names(found), strict=False):
        pen.line([x, 26, x + 28, 26], fill=colour, width=4)
        pen.text((x + 36, 16), name, INK, font=font(16))
        x += 64 + pen.textlength(name, font=font(16))


def _names(found: Batches) -> list[str]:
    return list(dict.fromkeys(name for row in found.rows for name in row.times))

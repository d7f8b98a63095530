"""Mouth and sound over time, as a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mien.atomic import replacing
from mien.errors import InputError
from mien.measure.judge import Evidence
from mien.measure.lips import closed_below
from mien.measure.report import Report
from mien.measure.sound import HOP_S
from mien.measure.verdict import advice

ROW_S = 10.0  # seconds in one row
MOST_ROWS = 12
WIDTH, ROW, LEFT, TOP = 1600, 190, 16, 92
MOUTH, SOUND, PAUSE, SHUT, INK, PALE = "#c0392b", "#9db8d2", "#f1efe8", "#2e7d32", "#222222", "#777777"


def draw(report: Report, evidence: Evidence, path: Path) -> None:
    """Write a PNG: the gap between the lips (red) over the sound's level (blue), closures and pauses marked.

    Shows the first two minutes. Raises `InputError` unless `path` ends in `.png`, `ResourceError` when it can
    not be written.
    """
    if path.suffix.lower() != ".png":
        raise InputError(f"{path} is no name for a picture; end it in .png")
    rows = int(np.clip(np.ceil(len(evidence.grid) * HOP_S / ROW_S), 1, MOST_ROWS))
    image = Image.new("RGB", (WIDTH, TOP + rows * ROW + 12), "white")
    pen = ImageDraw.Draw(image)
    _head(pen, report)
    for row in range(rows):
        _row(pen, evidence, row * ROW_S, TOP + row * ROW)
    with replacing(path) as aside:
        image.save(aside, "PNG")


def _head(pen: ImageDraw.ImageDraw, report: Report) -> None:
    title, small = ImageFont.load_default(22), ImageFont.load_default(15)
    pen.text((LEFT, 10), f"{Path(report.path).name}: {advice(report)}", INK, font=title)
    offset = "" if report.av_offset_ms is None else f"offset {report.av_offset_ms:+.0f} ms, "
    facts = f"{offset}{report.frames} pictures at {report.frame_rate:.2f} Hz"
    pen.text((LEFT, 42), facts, PALE, font=small)
    x = LEFT
    for color, label in ((MOUTH, "lip gap"), (SOUND, "sound"), (SHUT, "lips meet"), (PAUSE, "pause")):
        pen.rectangle([x, 68, x + 22, 80], fill=color, outline=PALE)
        pen.text((x + 28, 65), label, INK, font=small)
        x += 120


def _row(pen: ImageDraw.ImageDraw, evidence: Evidence, start_s: float, top: int) -> None:
    """Draw ten seconds."""
    base, height = top + ROW - 34, ROW - 50

    def at(time_s: float) -> float:
        return LEFT + (time_s - start_s) / ROW_S * (WIDTH - 2 * LEFT)

    for pause in evidence.pauses:
        if pause.end_s > start_s and pause.start_s < start_s + ROW_S:
            left, right = max(at(pause.start_s), LEFT), min(at(pause.end_s), WIDTH - LEFT)
            pen.rectangle([left, base - height, right, base], fill=PAUSE)
    _sound(pen, evidence, start_s, (base, height))
    _mouth(pen, evidence, start_s, (base, height))
    for shut in evidence.shut:
        if start_s <= shut.middle_s < start_s + ROW_S:
            pen.rectangle([at(shut.start_s), base + 2, at(shut.end_s), base + 7], fill=SHUT)
    pen.line([LEFT, base, WIDTH - LEFT, base], fill=PALE)
    small = ImageFont.load_default(13)
    for second in range(int(ROW_S) + 1):
        x = at(start_s + second)
        pen.line([x, base, x, base + 10], fill=PALE)
        if second < ROW_S:
            pen.text((x + 3, base + 9), f"{start_s + second:.0f} s", PALE, font=small)


def _columns(values: NDArray[np.floating], start_s: float) -> NDArray[np.float64]:
    """Return the values at each pixel column of a row, NaN beyond their end."""
    times = (start_s + np.arange(WIDTH - 2 * LEFT) / (WIDTH - 2 * LEFT) * ROW_S) / HOP_S
    index = np.round(times).astype(int)
    inside = index < len(values)
    return np.where(inside, values[np.minimum(index, len(values) - 1)], np.nan).astype(np.float64)


def _sound(pen: ImageDraw.ImageDraw, evidence: Evidence, start_s: float, frame: tuple[int, int]) -> None:
    if evidence.sound is None:
        return
    level = evidence.sound.level_db
    top = float(np.percentile(level, 99))
    shares = np.clip((_columns(level, start_s) - top + 50) / 50, 0, 1)
    for x, share in enumerate(shares):
        if np.isfinite(share):
            pen.line([LEFT + x, frame[0] - share * frame[1], LEFT + x, frame[0]], fill=SOUND)


def _mouth(pen: ImageDraw.ImageDraw, evidence: Evidence, start_s: float, frame: tuple[int, int]) -> None:
    known = evidence.grid[~np.isnan(evidence.grid)]
    if not len(known):
        return
    scale = frame[1] / max(float(np.percentile(known, 99.5)), 0.15)
    limit = frame[0] - closed_below(known) * scale
    pen.line([LEFT, limit, WIDTH - LEFT, limit], fill=SHUT)
    heights = frame[0] - np.clip(_columns(evidence.grid, start_s) * scale, -4, frame[1])
    for x in range(len(heights) - 1):
        if np.isfinite(heights[x : x + 2]).all():
            pen.line([LEFT + x, heights[x], LEFT + x + 1, heights[x + 1]], fill=MOUTH, width=3)

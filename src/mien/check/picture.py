"""The matrix of models and machines as a picture."""

from __future__ import annotations

import io
from typing import Any, Final

from mien.check.matrix import Cell, Matrix, told
from mien.errors import require

_COLOURS: Final = {
    "runs": (46, 125, 50),
    "builds": (102, 160, 92),
    "listed": (140, 178, 116),
    "partly": (232, 178, 60),
    "refused": (198, 60, 50),
    "unknown": (214, 214, 214),
}
_INK, _PAPER, _PALE, _LINE = (32, 32, 32), (255, 255, 255), (96, 96, 96), (225, 225, 225)
_ROW, _COLUMN, _NAMES, _LEFT, _TOP, _FONT = 25, 132, 240, 610, 56, 14


def png(matrix: Matrix) -> bytes:
    """Return a heat map: a row for each backend of each target, a column for each model."""
    pillow = require("PIL.Image", extra="video")
    drawing = require("PIL.ImageDraw", extra="video")
    font = require("PIL.ImageFont", extra="video").load_default(_FONT)
    size = (_LEFT + _COLUMN * len(matrix.models) + 90, _TOP + _ROW * len(matrix.lanes()) + 54)
    image = pillow.new("RGB", size, _PAPER)
    draw = drawing.Draw(image)
    for column, model in enumerate(matrix.models):
        draw.text((_LEFT + _COLUMN * column + 4, _TOP - 26), _short(model), _INK, font)
    draw.text((_LEFT + _COLUMN * len(matrix.models) + 12, _TOP - 26), "load", _INK, font)
    last = ""
    for row, (target, backend, cells) in enumerate(matrix.lanes()):
        top = _TOP + _ROW * row
        if target != last:
            draw.text((12, top + 4), target, _INK, font)
            draw.line((12, top - 2, size[0] - 12, top - 2), _LINE)
        last = target
        draw.text((_NAMES, top + 4), backend, _PALE, font)
        for column, cell in enumerate(cells):
            _cell(draw, font, cell, (_LEFT + _COLUMN * column, top))
        rate = told(cells)
        draw.text((_LEFT + _COLUMN * len(matrix.models) + 12, top + 4), rate, _INK, font)
    _legend(draw, font, size[1] - 34)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def _cell(draw: Any, font: Any, cell: Cell, at: tuple[int, int]) -> None:
    left, top = at
    draw.rectangle((left, top, left + _COLUMN - 4, top + _ROW - 5), _COLOURS[cell.verdict])
    light = _PAPER if cell.verdict in ("runs", "refused") else _INK
    draw.text((left + 8, top + 3), f"{cell.shown} {cell.how}", light, font)


def _legend(draw: Any, font: Any, top: int) -> None:
    left = 12
    for name, colour in _COLOURS.items():
        draw.rectangle((left, top, left + 16, top + 16), colour)
        draw.text((left + 22, top), name, _PALE, font)
        left += 34 + round(draw.textlength(name, font))


def _short(name: str) -> str:
    stem = name.rpartition(".")[0] or name
    return stem if len(stem) <= 16 else stem[:15] + "…"

"""The matrix of models and machines as a picture."""

from __future__ import annotations

import io
from typing import Any, Final

from mien.check.matrix import Cell, Matrix
from mien.errors import require

_COLOURS: Final = {
    "runs": (46, 125, 50),
    "builds": (102, 160, 92),
    "listed": (140, 178, 116),
    "partly": (232, 178, 60),
    "refused": (198, 60, 50),
    "unknown": (214, 214, 214),
}
_INK, _PAPER, _PALE = (32, 32, 32), (255, 255, 255), (110, 110, 110)
_ROW, _COLUMN, _LEFT, _TOP, _FONT = 34, 132, 250, 70, 15


def png(matrix: Matrix) -> bytes:
    """Return a heat map: a row for each target, a column for each model, the best backend in each cell."""
    pillow = require("PIL.Image", extra="video")
    drawing = require("PIL.ImageDraw", extra="video")
    font = require("PIL.ImageFont", extra="video").load_default(_FONT)
    size = (_LEFT + _COLUMN * len(matrix.models) + 90, _TOP + _ROW * len(matrix.targets) + 54)
    image = pillow.new("RGB", size, _PAPER)
    draw = drawing.Draw(image)
    for column, model in enumerate(matrix.models):
        draw.text((_LEFT + _COLUMN * column + 4, _TOP - 26), _short(model), _INK, font)
    draw.text((_LEFT + _COLUMN * len(matrix.models) + 12, _TOP - 26), "load", _INK, font)
    for row, target in enumerate(matrix.targets):
        top = _TOP + _ROW * row
        draw.text((12, top + 8), target, _INK, font)
        for column, model in enumerate(matrix.models):
            _cell(draw, font, matrix.best(model, target), (_LEFT + _COLUMN * column, top))
        rate = f"{matrix.rate(target):.0%}"
        draw.text((_LEFT + _COLUMN * len(matrix.models) + 12, top + 8), rate, _INK, font)
    _legend(draw, font, size[1] - 34)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def _cell(draw: Any, font: Any, cell: Cell, at: tuple[int, int]) -> None:
    left, top = at
    draw.rectangle((left, top, left + _COLUMN - 4, top + _ROW - 4), _COLOURS[cell.verdict])
    share = "?" if cell.share is None else f"{cell.share:.0%}"
    light = _PAPER if cell.verdict in ("runs", "refused") else _INK
    draw.text((left + 8, top + 7), f"{share} {cell.how}", light, font)


def _legend(draw: Any, font: Any, top: int) -> None:
    left = 12
    for name, colour in _COLOURS.items():
        draw.rectangle((left, top, left + 16, top + 16), colour)
        draw.text((left + 22, top), name, _PALE, font)
        left += 34 + round(draw.textlength(name, font))


def _short(name: str) -> str:
    stem = name.rpartition(".")[0] or name
    return stem if len(stem) <= 16 else stem[:15] + "…"

"""A photograph that talks: its lips part by exactly what it is told, without any of mien's animation."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mien import packs

Picture = NDArray[np.uint8]

SIZE = 256
_LEFT, _TOP, _SIDE = 128, 26, 192  # the square around the face in astronaut.png
_ZOOM = SIZE / _SIDE
# The mouth in the photograph, read off it by eye: corners, middle of the inner lips, chin, nose.
_CORNERS, _CORNER_Y, _UPPER_Y, _LOWER_Y, _CHIN_Y, _NOSE_Y = (201.0, 246.0), 140.8, 142.3, 149.3, 174.0, 131.0
MOUTH_WIDTH = (_CORNERS[1] - _CORNERS[0]) * _ZOOM
_DARK = np.array([52, 22, 22])


@cache
def photograph() -> Picture:
    """Return the face, (256, 256, 3)."""
    image = Image.open(packs.path("samples") / "astronaut.png").convert("RGB")
    box = (_LEFT, _TOP, _LEFT + _SIDE, _TOP + _SIDE)
    return np.asarray(image.crop(box).resize((SIZE, SIZE), Image.Resampling.BICUBIC))


def talking(aperture: float) -> Picture:
    """Return the face with its inner lips `aperture` mouth widths apart; 0 is sealed."""
    source, rows = photograph(), np.arange(SIZE, dtype=np.float64)[:, None] + 0.5
    across = (np.arange(SIZE) + 0.5) / _ZOOM + _LEFT
    unit = (across - sum(_CORNERS) / 2) / ((_CORNERS[1] - _CORNERS[0]) / 2)
    arch = np.clip(1 - unit**2, 0, None)
    upper, lower = (_down(_CORNER_Y + (y - _CORNER_Y) * arch) for y in (_UPPER_Y, _LOWER_Y))
    gap = aperture * MOUTH_WIDTH * arch
    seam = upper + 0.4 * (lower - upper)
    top, bottom = seam - 0.1 * gap, seam + 0.9 * gap
    drop = 0.8 * aperture * MOUTH_WIDTH * np.exp(-((unit / 1.4) ** 2))
    nose, chin = _down(_NOSE_Y), _down(_CHIN_Y)
    above = nose + (rows - nose) * (upper - nose) / (top - nose)
    below = lower + (rows - bottom) * (chin - lower) / (chin + drop - bottom)
    neck = rows - drop * np.clip(1 - (rows - chin - drop) / 40, 0, 1)
    where = np.where(
        rows < nose, rows, np.where(rows < top, above, np.where(rows < chin + drop, below, neck))
    )
    inside = np.clip(np.minimum(rows - top, bottom - rows) + 0.5, 0, 1) * (gap > 0)
    mixed = _sample(source, where) * (1 - inside[..., None]) + _DARK * inside[..., None]
    return np.round(mixed).astype(np.uint8)


def _down(y: float | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((y - _TOP) * _ZOOM)


def _sample(source: Picture, where: NDArray[np.float64]) -> NDArray[np.float64]:
    """Read each column of `source` at the heights `where` (H, W), linear between pixels."""
    position = np.clip(where - 0.5, 0, SIZE - 1.001)
    low = position.astype(int)
    part, columns = (position - low)[..., None], np.arange(SIZE)[None]
    return source[low, columns] * (1 - part) + source[low + 1, columns] * part

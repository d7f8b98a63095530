"""Rotated squares of a picture: what the networks look at.

Picture coordinates are continuous: pixel `(i, j)` covers `[j, j + 1) × [i, i + 1)`, x to the right, y down.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from mien.errors import require
from mien.vision.networks import Floats, Picture

GROWTH = 1.5  # MediaPipe's margin around a face


@dataclass(frozen=True, slots=True)
class Region:
    """A square with its centre `x`, `y` and `size` in pixels, turned clockwise by `angle` radians."""

    x: float
    y: float
    size: float
    angle: float

    @classmethod
    def around(cls, box: Floats, start: Floats, end: Floats) -> Region:
        """Return the square around `box` (x0, y0, x1, y1), upright where `start` → `end` points right."""
        x0, y0, x1, y1 = (float(v) for v in box)
        angle = float(np.arctan2(end[1] - start[1], end[0] - start[0]))
        return cls((x0 + x1) / 2, (y0 + y1) / 2, GROWTH * max(x1 - x0, y1 - y0), angle)

    def varied(self, scale: float, turn: float, down: float) -> Region:
        """Return the square scaled, turned (radians), and moved down its own y axis by a part of its size."""
        x, y = (self.x, self.y) + self.axes[:, 1] * down * self.size
        return Region(float(x), float(y), self.size * scale, self.angle + turn)

    def towards(self, other: Region, part: float) -> Region:
        """Return the square that lies `part` of the way from this one to another."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Region(*(mine + part * (theirs - mine) for mine, theirs in pairs))

    @property
    def axes(self) -> NDArray[np.float64]:
        """`(2, 2)`: the square's unit x and y axes, as columns, in picture coordinates."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.array([[cos, -sin], [sin, cos]])

    def to_picture(self, points: NDArray[np.floating]) -> Floats:
        """Map `(n, 2)` from the unit square to the picture."""
        out = (points - 0.5) * self.size @ self.axes.T + (self.x, self.y)
        return np.asarray(out, np.float32)

    def cut(self, picture: Picture, size: int) -> Picture:
        """Return the square as `(size, size, 3)`; beyond the picture its edge is repeated."""
        pillow = require("PIL.Image", extra="measure")
        patch, left, top = self._patch(picture)
        shrink = max(1, int(self.size / size / 1.5))
        small = pillow.fromarray(patch)
        if shrink > 1:
            small = small.reduce(shrink)
        step = self.axes * (self.size / size / shrink)
        start = (np.array([self.x - left, self.y - top]) / shrink) - step @ [size / 2, size / 2]
        matrix = (step[0, 0], step[0, 1], start[0], step[1, 0], step[1, 1], start[1])
        how = (pillow.Transform.AFFINE, matrix, pillow.Resampling.BILINEAR)
        return np.asarray(small.transform((size, size), *how))

    def _patch(self, picture: Picture) -> tuple[Picture, int, int]:
        """Return the upright pixels that the square needs, with the picture coordinates of its corner."""
        height, width = picture.shape[:2]
        reach = self.size / 2 * (abs(np.cos(self.angle)) + abs(np.sin(self.angle))) + 2
        x0, y0 = int(np.floor(self.x - reach)), int(np.floor(self.y - reach))
        x1, y1 = int(np.ceil(self.x + reach)), int(np.ceil(self.y + reach))
        inside = picture[
            np.clip(y0, 0, height - 1) : np.clip(y1, 1, height),
            np.clip(x0, 0, width - 1) : np.clip(x1, 1, width),
        ]
        pad = [(max(0, -y0), max(0, y1 - height)), (max(0, -x0), max(0, x1 - width)), (0, 0)]
        padded = np.pad(inside, pad, mode="edge") if any(map(any, pad)) else inside
        return np.ascontiguousarray(padded), x0, y0

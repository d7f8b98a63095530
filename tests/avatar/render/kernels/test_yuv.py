from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.render.canvas import to_planes


def reference(picture: NDArray[np.uint8]) -> tuple[NDArray[np.float64], ...]:
    """ITU-R BT.709-6, item 3: from R'G'B' to limited range, chroma as the mean of four pixels."""
    r, g, b = np.moveaxis(picture.astype(np.float64) / 255, -1, 0)
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b

    def half(plane: NDArray[np.float64]) -> NDArray[np.float64]:
        return plane.reshape(plane.shape[0] // 2, 2, plane.shape[1] // 2, 2).mean(axis=(1, 3))

    return 16 + 219 * y, 128 + 224 * half((b - y) / 1.8556), 128 + 224 * half((r - y) / 1.5748)


def test_planes_are_within_one_level_of_the_standard() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (64, 48, 3)).astype(np.uint8)
    for plane, wanted in zip(to_planes(picture), reference(picture), strict=True):
        assert plane.shape == wanted.shape
        assert np.abs(plane - wanted).max() <= 1.0


def test_black_white_and_grey() -> None:
    for level, luma in ((0, 16), (255, 235)):
        planes = to_planes(np.full((2, 2, 3), level, np.uint8))
        assert (planes.luma == luma).all()
        assert planes.blue[0, 0] == planes.red[0, 0] == 128

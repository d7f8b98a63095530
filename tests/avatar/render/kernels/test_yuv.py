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


def parts(planes: NDArray[np.uint8], height: int, width: int) -> tuple[NDArray[np.uint8], ...]:
    """Return Y, Cb and Cr."""
    luma, blue, red = np.split(planes.ravel(), [height * width, height * width * 5 // 4])
    half = height // 2, width // 2
    return luma.reshape(height, width), blue.reshape(half), red.reshape(half)


def test_planes_are_within_one_level_of_the_standard() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (64, 48, 3)).astype(np.uint8)
    for plane, wanted in zip(parts(to_planes(picture), 64, 48), reference(picture), strict=True):
        assert plane.shape == wanted.shape
        assert np.abs(plane - wanted).max() <= 1.0


def test_black_white_and_grey() -> None:
    for level, luma in ((0, 16), (255, 235)):
        assert to_planes(np.full((2, 2, 3), level, np.uint8)).ravel().tolist() == [luma] * 4 + [128] * 2


def test_alpha_is_a_plane_of_its_own_and_clear_pixels_do_not_tint_the_chroma_of_their_neighbours() -> None:
    picture = np.zeros((2, 2, 4), np.uint8)
    picture[0, 0] = 200, 30, 40, 255
    planes, opaque = (
        to_planes(picture).ravel(),
        to_planes(np.full((2, 2, 3), (200, 30, 40), np.uint8)).ravel(),
    )
    assert planes[4:6].tolist() == opaque[4:6].tolist()
    assert planes[6:].tolist() == [255, 0, 0, 0]

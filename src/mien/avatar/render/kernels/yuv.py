"""From RGB to the planes that video encoders take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.render.jit import kernel

Plane = NDArray[np.uint8]
# ITU-R BT.709, limited range (luma 16 to 235, chroma 16 to 240), in 1/65536.
_RED, _GREEN, _BLUE = (round(weight * 219 / 255 * 65536) for weight in (0.2126, 0.7152, 0.0722))
_LUMA = 16 * 65536 + 32768
_CB = tuple(round(weight * 224 / 255 / 1.8556 * 65536) for weight in (-0.2126, -0.7152, 0.9278))
_CR = tuple(round(weight * 224 / 255 / 1.5748 * 65536) for weight in (0.7874, -0.7152, -0.0722))
_CHROMA = 4 * 128 * 65536 + 4 * 32768  # of the sum over four pixels


@kernel
def convert(picture: Plane, first: int, last: int, luma: Plane, blue: Plane, red: Plane) -> None:
    """Convert rows `first` to `last` (even numbers) of `picture` (H, W, 3) to 4:2:0, each chroma sample
    the mean of its four pixels.
    """
    for y in range(first, last, 2):
        for x in range(0, picture.shape[1], 2):
            r, g, b = np.int32(0), np.int32(0), np.int32(0)
            for j in range(2):
                for i in range(2):
                    pr = np.int32(picture[y + j, x + i, 0])
                    pg = np.int32(picture[y + j, x + i, 1])
                    pb = np.int32(picture[y + j, x + i, 2])
                    luma[y + j, x + i] = (_RED * pr + _GREEN * pg + _BLUE * pb + _LUMA) >> 16
                    r, g, b = r + pr, g + pg, b + pb
            blue[y >> 1, x >> 1] = (_CB[0] * r + _CB[1] * g + _CB[2] * b + _CHROMA) >> 18
            red[y >> 1, x >> 1] = (_CR[0] * r + _CR[1] * g + _CR[2] * b + _CHROMA) >> 18

"""From RGB to the planes that video encoders take."""

from __future__ import annotations

import numpy as np

from mien.avatar.render.jit import kernel
from mien.avatar.render.layout import Bytes

# ITU-R BT.709, limited range (luma 16 to 235, chroma 16 to 240), in 1/65536.
_RED, _GREEN, _BLUE = (round(weight * 219 / 255 * 65536) for weight in (0.2126, 0.7152, 0.0722))
_LUMA = 16 * 65536 + 32768
_CB = tuple(round(weight * 224 / 255 / 1.8556 * 65536) for weight in (-0.2126, -0.7152, 0.9278))
_CR = tuple(round(weight * 224 / 255 / 1.5748 * 65536) for weight in (0.7874, -0.7152, -0.0722))
_CHROMA = 4 * 128 * 65536 + 4 * 32768  # of the sum over four pixels


@kernel
def convert(picture: Bytes, place: tuple[int, int, int, int], height: int, width: int, flat: Bytes) -> None:
    """Set rows `top` to `bottom` and columns `left` to `right` (`place`, even numbers) of the planes from
    `picture`, whose pixel (0, 0) is the first of them.

    `flat`: Y (H, W), then Cb and Cr (H / 2, W / 2); with a `picture` of four channels alpha (H, W)
    last. A chroma sample is the mean of its four pixels, weighted by their alpha.
    """
    top, bottom, left, right = place
    blue, red, alpha = height * width, height * width * 5 // 4, height * width * 3 // 2
    for y in range(0, bottom - top, 2):
        row, half = (top + y) * width + left, (top + y) // 2 * (width // 2) + left // 2
        for x in range(0, right - left, 2):
            r, g, b, parts = np.int32(0), np.int32(0), np.int32(0), np.int32(0)
            for k in range(4):
                i, j = x + (k & 1), y + (k >> 1)
                pr, pg, pb = (
                    np.int32(picture[j, i, 0]),
                    np.int32(picture[j, i, 1]),
                    np.int32(picture[j, i, 2]),
                )
                spot, part = row + (k >> 1) * width + i, np.int32(1)
                flat[spot] = (_RED * pr + _GREEN * pg + _BLUE * pb + _LUMA) >> 16
                if picture.shape[2] == 4:
                    part = np.int32(picture[j, i, 3])
                    flat[alpha + spot] = part
                r, g, b, parts = r + pr * part, g + pg * part, b + pb * part, parts + part
            if picture.shape[2] == 4:
                scale = np.float32(4.0) / max(np.float32(parts), np.float32(1.0))
                r, g, b = np.int32(r * scale), np.int32(g * scale), np.int32(b * scale)
            flat[blue + half + x // 2] = (_CB[0] * r + _CB[1] * g + _CB[2] * b + _CHROMA) >> 18
            flat[red + half + x // 2] = (_CR[0] * r + _CR[1] * g + _CR[2] * b + _CHROMA) >> 18

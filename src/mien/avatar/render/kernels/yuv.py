"""From RGB to the planes that video encoders take."""

from __future__ import annotations

import numpy as np

from mien.avatar.render.jit import inline, kernel
from mien.avatar.render.layout import Bytes

# ITU-R BT.709, limited range (luma 16 to 235, chroma 16 to 240), in 1/65536.
_RED, _GREEN, _BLUE = (round(weight * 219 / 255 * 65536) for weight in (0.2126, 0.7152, 0.0722))
_LUMA = 16 * 65536 + 32768
_CB = tuple(round(weight * 224 / 255 / 1.8556 * 65536) for weight in (-0.2126, -0.7152, 0.9278))
_CR = tuple(round(weight * 224 / 255 / 1.5748 * 65536) for weight in (0.7874, -0.7152, -0.0722))
_CHROMA = 4 * 128 * 65536 + 4 * 32768  # of the sum over four pixels


@kernel
def convert(strip: Bytes, place: tuple[int, int, int, int], height: int, width: int, flat: Bytes) -> None:
    """Set rows `top` to `bottom` and columns `left` to `right` (`place`, even numbers) of the planes from
    `strip` (3 or 4, H, W), a plane for each channel, whose pixel (0, 0) is the first of them.

    `flat`: Y (H, W), then Cb and Cr (H / 2, W / 2); with a `strip` of four channels alpha (H, W)
    last. A chroma sample is the mean of its four pixels, weighted by their alpha.
    """
    top, bottom, left, right = place
    count, alpha = right - left, height * width * 3 // 2
    for y in range(bottom - top):
        row = (top + y) * width + left
        luma(strip, np.uintp(y), count, flat, np.uintp(row))
        if strip.shape[0] == 4:
            for x in range(count):
                flat[np.uintp(alpha + row + x)] = strip[3, np.uintp(y), np.uintp(x)]
    for y in range((bottom - top) // 2):
        half = np.uintp(height * width + (top // 2 + y) * (width // 2) + left // 2)
        if strip.shape[0] == 4:
            weighted(strip, np.uintp(2 * y), count // 2, flat, half, np.uintp(height * width // 4))
        else:
            chroma(strip, np.uintp(2 * y), count // 2, flat, half, np.uintp(height * width // 4))


@inline
def luma(strip: Bytes, y: np.uintp, count: int, flat: Bytes, start: np.uintp) -> None:
    """Set a row of Y."""
    for x in range(count):
        i = np.uintp(x)
        level = np.int32(_RED * strip[0, y, i] + _GREEN * strip[1, y, i] + _BLUE * strip[2, y, i] + _LUMA)
        flat[start + i] = level >> 16


@inline
def chroma(strip: Bytes, y: np.uintp, count: int, flat: Bytes, start: np.uintp, apart: np.uintp) -> None:
    """Set a row of Cb and, `apart` further on, of Cr, from rows `y` and `y` + 1."""
    below = y + np.uintp(1)
    for x in range(count):
        i, j = np.uintp(2 * x), np.uintp(2 * x + 1)
        r = np.int32(strip[0, y, i]) + strip[0, y, j] + strip[0, below, i] + strip[0, below, j]
        g = np.int32(strip[1, y, i]) + strip[1, y, j] + strip[1, below, i] + strip[1, below, j]
        b = np.int32(strip[2, y, i]) + strip[2, y, j] + strip[2, below, i] + strip[2, below, j]
        flat[start + np.uintp(x)] = np.int32(_CB[0] * r + _CB[1] * g + _CB[2] * b + _CHROMA) >> 18
        flat[start + apart + np.uintp(x)] = np.int32(_CR[0] * r + _CR[1] * g + _CR[2] * b + _CHROMA) >> 18


@inline
def weighted(strip: Bytes, y: np.uintp, count: int, flat: Bytes, start: np.uintp, apart: np.uintp) -> None:
    """Like `chroma`, of pixels that are transparent."""
    for x in range(count):
        r, g, b, parts = np.int32(0), np.int32(0), np.int32(0), np.int32(0)
        for k in range(4):
            i, j = np.uintp(2 * x + (k & 1)), y + np.uintp(k >> 1)
            part = np.int32(strip[3, j, i])
            r, g, b = r + strip[0, j, i] * part, g + strip[1, j, i] * part, b + strip[2, j, i] * part
            parts += part
        scale = np.float32(4.0) / max(np.float32(parts), np.float32(1.0))
        r, g, b = np.int32(r * scale), np.int32(g * scale), np.int32(b * scale)
        flat[start + np.uintp(x)] = (_CB[0] * r + _CB[1] * g + _CB[2] * b + _CHROMA) >> 18
        flat[start + apart + np.uintp(x)] = (_CR[0] * r + _CR[1] * g + _CR[2] * b + _CHROMA) >> 18

"""A band of the picture: which triangle each sample shows, what colour that is, four samples a pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Ints
from mien.avatar.render.jit import kernel
from mien.avatar.render.kernels.light import illuminate
from mien.avatar.render.kernels.raster import Samples, cover
from mien.avatar.render.kernels.shade import shade
from mien.avatar.render.layout import DEPTH_SCALE, EMPTY, FAR, GROUP, ID_BITS, NEAR

_ID = (1 << ID_BITS) - 1
# Samples of one group are one surface when their depths differ by less than a millimetre at arm's length.
_SAME = int(0.0012 / 1.15**2 / (1.0 / NEAR - 1.0 / FAR) * DEPTH_SCALE)
_QUARTER, _HALF = np.float32(0.25), np.float32(0.5)
Picture = NDArray[np.uint8]


@kernel
def draw(
    first: int, last: int, rows: int, faces: Ints, clip: Floats, points: Floats, static: Floats,
    head: Floats, camera: Floats, rig: Floats, jaw: float, turns: Floats, lids: Floats, view: Floats,
    iris: Floats, skin: Floats, hair: Floats, table: Floats, lit: Floats, stamp: Ints, seen: Ints, frame: int,
    count: Ints, lists: Ints, span: Ints, samples: Samples, background: Picture, picture: Picture,
) -> None:  # fmt: skip
    """Fill bands `first` to `last` of `picture` (H, W, 3); `rows` sample rows, half as many pixels, each.

    `samples` (rows, 2 W), `lit` (V, 8), `stamp` (V,) and `seen` (F,) are this thread's own scratch space:
    what a band shows first in this `frame` is lit then, and what no band shows never is.
    """
    height, width = picture.shape[0], picture.shape[1]
    half = rows // 2
    for band in range(first, last):
        start, stop = band * half, min((band + 1) * half, height)
        for y in range(start, stop):
            for x in range(width):
                for channel in range(3):
                    picture[y, x, channel] = background[y, x, channel]
        if count[band] == 0:
            continue
        left, right = span[band, 0] // 2, min(span[band, 1] // 2, width - 1)
        cover(faces, clip, lists[band], count[band], band * rows, 2 * left, 2 * right + 1, samples)
        for y in range(start, stop):
            upper, lower = 2 * (y - start), 2 * (y - start) + 1
            for x in range(left, right + 1):
                s0, s1 = samples[upper, 2 * x], samples[upper, 2 * x + 1]
                s2, s3 = samples[lower, 2 * x], samples[lower, 2 * x + 1]
                if s0 == EMPTY and s1 == EMPTY and s2 == EMPTY and s3 == EMPTY:
                    continue
                red, green, blue, done = np.float32(0.0), np.float32(0.0), np.float32(0.0), 0
                for k in range(4):
                    if done >> k & 1:
                        continue
                    s = s0 if k == 0 else (s1 if k == 1 else (s2 if k == 2 else s3))
                    group = faces[s & _ID, GROUP] if s != EMPTY else -1
                    share, sx, sy = 0, 0, 0
                    if ((s0 ^ s1) | (s0 ^ s2) | (s0 ^ s3)) & _ID == 0:
                        done, share, sx, sy = 15, 4, 6, 2
                    for j in range(k, 4):
                        if done >> j & 1:
                            continue
                        other = s0 if j == 0 else (s1 if j == 1 else (s2 if j == 2 else s3))
                        if group < 0:
                            same = other == EMPTY
                        else:
                            same = (other ^ s) & _ID == 0 or (
                                other != EMPTY
                                and faces[other & _ID, GROUP] == group
                                and abs((other >> ID_BITS) - (s >> ID_BITS)) < _SAME
                            )
                        if same:
                            done |= 1 << j
                            share += 1
                            sx += 2 * (j & 1) + (j >> 1)  # quarters of a sample: see `raster`
                            sy += j >> 1
                    part = np.float32(share)
                    if group < 0:
                        red += np.float32(background[y, x, 0]) * part
                        green += np.float32(background[y, x, 1]) * part
                        blue += np.float32(background[y, x, 2]) * part
                        continue
                    mx = np.float32(2 * x) + _QUARTER + np.float32(sx) * _HALF / part
                    my = np.float32(2 * y) + _HALF + np.float32(sy) / part
                    t = s & _ID
                    if seen[t] != frame:
                        seen[t] = frame
                        illuminate(t, faces, points, static, head, camera, rig, jaw, lit, stamp, frame)
                    r, g, b = shade(
                        t, mx, my, faces, clip, static, rig, turns, lids, view, iris, skin, hair, table, lit
                    )
                    red, green, blue = red + r * part, green + g * part, blue + b * part
                picture[y, x, 0] = int(red * _QUARTER + _HALF)
                picture[y, x, 1] = int(green * _QUARTER + _HALF)
                picture[y, x, 2] = int(blue * _QUARTER + _HALF)

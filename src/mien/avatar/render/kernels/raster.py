"""Which triangle each sample of a tile shows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Ints
from mien.avatar.render.jit import exact_inline, exact_kernel
from mien.avatar.render.layout import BLOCK, DEPTH_SCALE, EMPTY, ID_BITS, A, B, C, Lists

_BITS = 20  # of the fraction of a column
_UNIT = float(1 << _BITS)
# Sample centres: a quarter to the left in even rows and to the right in odd ones, so that a pixel has four
# columns. Less one unit, which turns a shift to the right into a rounding up.
_EVEN, _ODD = (1 << _BITS) // 4 - ((1 << _BITS) - 1), 3 * (1 << _BITS) // 4 - ((1 << _BITS) - 1)
_STEEP = 0.02 * DEPTH_SCALE
_MARGIN = float(1 << 16)  # of depth, against rounding: a ten thousandth of a millimetre
_OFTEN = 32  # triangles drawn before the farthest samples are looked for again
Samples = NDArray[np.int64]


@exact_kernel
def cover(
    faces: Ints, clip: Floats, lists: Lists, begin: int, end: int, top: int, left: int, right: int,
    samples: Samples, farthest: Samples,
) -> None:  # fmt: skip
    """Set `samples`: those of the tile whose first row is `top` and whose columns are `left` to `right`.

    A sample holds depth << ID_BITS | triangle, so the smaller of two is the nearer one, and the order
    of the triangles does not matter. Those behind all samples of the blocks that they touch are left out.
    """
    samples[:, :] = EMPTY
    farthest[:, :] = EMPTY
    drawn = 0
    for j in range(begin, end):
        t = np.uintp(lists.items[j])
        if hidden(lists.boxes, t, lists.near[t], top, left, right, farthest):
            continue
        a, b, c = np.uintp(faces[t, A]), np.uintp(faces[t, B]), np.uintp(faces[t, C])
        fill(clip, np.int32(t), a, b, c, top, left, right, samples)
        drawn += 1
        if drawn == _OFTEN:
            drawn = 0
            measure(samples, farthest)


@exact_inline
def hidden(
    boxes: NDArray[np.int16],
    t: np.uintp,
    near: np.float32,
    top: int,
    left: int,
    right: int,
    farthest: Samples,
) -> bool:
    """Return whether all blocks that triangle `t` touches are nearer than its nearest corner."""
    nearest = np.int64(np.float64(near) * DEPTH_SCALE - _MARGIN) << ID_BITS
    first, last = max(boxes[t, 0] - left, 0) // BLOCK, min(boxes[t, 1], right) - left
    upper, lower = (
        max(boxes[t, 2] - top, 0) // BLOCK,
        min(boxes[t, 3] - top, farthest.shape[0] * BLOCK - 1) // BLOCK,
    )
    for row in range(upper, lower + 1):
        for column in range(first, last // BLOCK + 1):
            if farthest[np.uintp(row), np.uintp(column)] >= nearest:
                return False
    return True


@exact_inline
def measure(samples: Samples, farthest: Samples) -> None:
    """Set the first columns of `farthest` to the largest sample of each block; the others help."""
    for row in range(farthest.shape[0]):
        k = np.uintp(row)
        for x in range(farthest.shape[1]):
            farthest[k, np.uintp(x)] = samples[np.uintp(row * BLOCK), np.uintp(x)]
        for y in range(row * BLOCK + 1, row * BLOCK + BLOCK):
            for x in range(farthest.shape[1]):
                i = np.uintp(x)
                farthest[k, i] = max(farthest[k, i], samples[np.uintp(y), i])
        for column in range(farthest.shape[1] // BLOCK):
            most = farthest[k, np.uintp(column * BLOCK)]
            for x in range(1, BLOCK):
                most = max(most, farthest[k, np.uintp(column * BLOCK + x)])
            farthest[k, np.uintp(column)] = most


@exact_inline
def fill(
    clip: Floats,
    t: np.int32,
    a: np.uintp,
    b: np.uintp,
    c: np.uintp,
    top: int,
    left: int,
    right: int,
    samples: Samples,
) -> None:
    """Show triangle `t` in the samples where nothing nearer is.

    Edges run from the upper to the lower vertex in every triangle, in fixed point: two that share one
    agree on it, and no sample is lost between them.
    """
    if clip[b, 1] < clip[a, 1]:
        a, b = b, a
    if clip[c, 1] < clip[b, 1]:
        b, c = c, b
        if clip[b, 1] < clip[a, 1]:
            a, b = b, a
    ya, yb, yc = np.float64(clip[a, 1]), np.float64(clip[b, 1]), np.float64(clip[c, 1])
    first, last = max(top, math.ceil(ya - 0.5)), min(top + samples.shape[0], math.ceil(yc - 0.5))
    xa, xb, xc = np.float64(clip[a, 0]), np.float64(clip[b, 0]), np.float64(clip[c, 0])
    area = (xb - xa) * (yc - ya) - (xc - xa) * (yb - ya)
    if first >= last or area == 0.0:
        return
    za = np.float64(clip[a, 2])
    zb, zc, scale = np.float64(clip[b, 2]) - za, np.float64(clip[c, 2]) - za, DEPTH_SCALE / area
    across = (zb * (yc - ya) - zc * (yb - ya)) * scale
    down = (zc * (xb - xa) - zb * (xc - xa)) * scale
    if abs(across) + abs(down) > _STEEP:  # a sliver seen edge on: its slope is noise
        across, down = np.float64(0.0), np.float64(0.0)
    depth = za * DEPTH_SCALE - xa * across + (first + 0.5 - ya) * down
    line = np.int64(depth) << ID_BITS | t  # at column coordinate 0 of the row
    slopes = np.int64(across) << ID_BITS, np.int64(down) << ID_BITS, np.int64(0.25 * across) << ID_BITS
    middle = min(max(math.ceil(yb - 0.5), first), last)
    long = edge(xa, ya, xc, yc, first)
    short = edge(xa, ya, xb, yb, first)
    box = top, left, right
    rows(samples, first, middle, long, short, area > 0.0, line, slopes, box)
    long = long[0] + long[1] * (middle - first), long[1]
    line += slopes[1] * (middle - first)
    rows(samples, middle, last, long, edge(xb, yb, xc, yc, middle), area > 0.0, line, slopes, box)


@exact_inline
def rows(
    samples: Samples,
    begin: int,
    end: int,
    long: Any,
    short: Any,
    forward: np.bool_,
    line: np.int64,
    slopes: Any,
    box: Any,
) -> None:
    """Fill the rows between two edges."""
    top, left, right = box
    step, fall, lean = slopes
    x0, step0 = long if forward else short
    x1, step1 = short if forward else long
    for row in range(begin, end):
        center = _ODD if row & 1 else _EVEN
        start: int = max(left, (x0 - center) >> _BITS)
        stop: int = min(right + 1, (x1 - center) >> _BITS)
        value = line + step * start + (3 * lean if row & 1 else lean)
        y = np.uintp(row - top)
        for column in range(start, stop):
            x = np.uintp(column - left)
            samples[y, x] = min(samples[y, x], value)
            value += step
        line += fall
        x0 += step0
        x1 += step1


@exact_inline
def edge(xa: float, ya: float, xb: float, yb: float, row: int) -> tuple[Any, Any]:
    """Return where the edge crosses `row`, and its step from row to row."""
    slope = (xb - xa) / (yb - ya) if yb > ya else 0.0
    return np.int64((xa + (row + 0.5 - ya) * slope) * _UNIT), np.int64(slope * _UNIT)

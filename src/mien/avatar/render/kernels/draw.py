"""A band of the picture: which triangle each sample shows, what colour that is, four samples a pixel."""

from __future__ import annotations

import numpy as np

from mien.avatar.render.jit import inline, kernel
from mien.avatar.render.kernels.light import illuminate
from mien.avatar.render.kernels.raster import cover
from mien.avatar.render.kernels.shade import shade
from mien.avatar.render.kernels.yuv import convert
from mien.avatar.render.layout import (
    DEPTH_SCALE,
    EMPTY,
    FAR,
    GROUP,
    ID_BITS,
    NEAR,
    Bytes,
    Ints,
    Lists,
    Model,
    Moment,
    Scratch,
)

_ID = (1 << ID_BITS) - 1
# Samples of one group are one surface when their depths differ by less than a millimetre at arm's length.
_SAME = int(0.0012 / 1.15**2 / (1.0 / NEAR - 1.0 / FAR) * DEPTH_SCALE)
_QUARTER, _HALF, _FULL = np.float32(0.25), np.float32(0.5), np.float32(255.0)
_ZERO, _FOUR = np.float32(0.0), np.float32(4.0)
Four = tuple[int, int, int, int]
Level = tuple[np.float32, np.float32, np.float32, np.float32]


@kernel
def draw(
    first: int, last: int, model: Model, moment: Moment, lists: Lists, scratch: Scratch, frame: int,
    backgrounds: Bytes, picture: Bytes,
) -> None:  # fmt: skip
    """Fill bands `first` to `last` of `picture` (H, W, 3 or 4)."""
    half, height = scratch.samples.shape[0] // 2, picture.shape[0]
    for band in range(first, last):
        start, stop = band * half, min((band + 1) * half, height)
        stand(backgrounds, start, stop, 0, backgrounds.shape[2], 0, picture)
        paint(band, start, stop, 0, model, moment, lists, scratch, frame, backgrounds, picture)


@kernel
def draw_planes(
    first: int, last: int, model: Model, moment: Moment, lists: Lists, scratch: Scratch, frame: int,
    backgrounds: Bytes, flat: Bytes,
) -> None:  # fmt: skip
    """Fill what moves in bands `first` to `last` of the planes; see `yuv.convert`."""
    half, height, strip = scratch.samples.shape[0] // 2, backgrounds.shape[1], scratch.strip
    for band in range(first, last):
        start, stop = band * half, min((band + 1) * half, height)
        if lists.counts[band, 1] == 0:
            continue
        left = lists.span[band, 0] // 4 * 2
        right = min(lists.span[band, 1] // 4 * 2 + 2, backgrounds.shape[2])
        stand(backgrounds, start, stop, left, right, start, strip)
        paint(band, start, stop, start, model, moment, lists, scratch, frame, backgrounds, strip)
        convert(strip, start, stop, left, right, height, flat)


@inline
def stand(backgrounds: Bytes, start: int, stop: int, left: int, right: int, top: int, picture: Bytes) -> None:
    """Show what never moves."""
    for y in range(start, stop):
        for x in range(left, right):
            for channel in range(picture.shape[2]):
                picture[y - top, x, channel] = backgrounds[1, y, x, channel]


@inline
def paint(
    band: int, start: int, stop: int, top: int, model: Model, moment: Moment, lists: Lists,
    scratch: Scratch, frame: int, backgrounds: Bytes, picture: Bytes,
) -> None:  # fmt: skip
    """Draw what moves over pixel rows `start` to `stop`; row `top` is the first one of `picture`."""
    if lists.counts[band, 1] == 0:
        return
    samples, last = scratch.samples, backgrounds.shape[2] - 1
    left, right = lists.span[band, 0] // 2, min(lists.span[band, 1] // 2, last)
    items, count = lists.items[band], lists.counts[band, 0]
    cover(model.faces, moment.clip, items, count, 2 * start, 2 * left, 2 * right + 1, samples)
    for y in range(start, stop):
        upper, lower = 2 * (y - start), 2 * (y - start) + 1
        for x in range(left, right + 1):
            s = (
                samples[upper, 2 * x],
                samples[upper, 2 * x + 1],
                samples[lower, 2 * x],
                samples[lower, 2 * x + 1],
            )
            if min(s[0] & _ID, s[1] & _ID, s[2] & _ID, s[3] & _ID) >= model.still:
                continue
            red, green, blue, alpha = resolve(s, x, y, model, moment, scratch, frame, backgrounds)
            if picture.shape[2] == 4:
                picture[y - top, x, 3] = int(alpha * _FULL * _QUARTER + _HALF)
                scale = _FOUR / alpha
                red, green, blue = red * scale, green * scale, blue * scale
            picture[y - top, x, 0] = int(red * _QUARTER + _HALF)
            picture[y - top, x, 1] = int(green * _QUARTER + _HALF)
            picture[y - top, x, 2] = int(blue * _QUARTER + _HALF)


@inline
def resolve(
    s: Four, x: int, y: int, model: Model, moment: Moment, scratch: Scratch, frame: int, backgrounds: Bytes
) -> Level:
    """Return the sum over the samples `s` of pixel `x`, `y`, and how many of them show a triangle."""
    if ((s[0] ^ s[1]) | (s[0] ^ s[2]) | (s[0] ^ s[3])) & _ID == 0:
        r, g, b = colour(s[0] & _ID, x, y, 6, 2, _FOUR, model, moment, scratch, frame)
        return r * _FOUR, g * _FOUR, b * _FOUR, _FOUR
    red, green, blue, alpha, done = _ZERO, _ZERO, _ZERO, _ZERO, 0
    for k in range(4):
        if done >> k & 1:
            continue
        alike, share, sx, sy = gathered(s, k, done, model.faces)
        done |= alike
        own, part = (s[0] if k == 0 else (s[1] if k == 1 else (s[2] if k == 2 else s[3]))), np.float32(share)
        if own != EMPTY:
            r, g, b = colour(own & _ID, x, y, sx, sy, part, model, moment, scratch, frame)
            alpha += part
        elif backgrounds.shape[3] == 4:
            r, g, b = _ZERO, _ZERO, _ZERO
        else:
            r, g, b = (
                np.float32(backgrounds[0, y, x, 0]),
                np.float32(backgrounds[0, y, x, 1]),
                np.float32(backgrounds[0, y, x, 2]),
            )
        red, green, blue = red + r * part, green + g * part, blue + b * part
    return red, green, blue, alpha


@inline
def gathered(s: Four, k: int, done: int, faces: Ints) -> Four:
    """Return which samples from `k` on show the surface of sample `k` (bits), their count, and the sum
    of where they are: quarters of a sample across, samples down (see `raster`).
    """
    own = s[0] if k == 0 else (s[1] if k == 1 else (s[2] if k == 2 else s[3]))
    group = faces[own & _ID, GROUP] if own != EMPTY else -1
    alike, share, sx, sy = 0, 0, 0, 0
    for j in range(k, 4):
        if done >> j & 1:
            continue
        other = s[0] if j == 0 else (s[1] if j == 1 else (s[2] if j == 2 else s[3]))
        if group < 0:
            same = other == EMPTY
        else:
            same = (other ^ own) & _ID == 0 or (
                other != EMPTY
                and faces[other & _ID, GROUP] == group
                and abs((other >> ID_BITS) - (own >> ID_BITS)) < _SAME
            )
        if same:
            alike |= 1 << j
            share += 1
            sx += 2 * (j & 1) + (j >> 1)
            sy += j >> 1
    return alike, share, sx, sy


@inline
def colour(
    t: int, x: int, y: int, sx: int, sy: int, part: np.float32, model: Model, moment: Moment,
    scratch: Scratch, frame: int,
) -> tuple[np.float32, np.float32, np.float32]:  # fmt: skip
    """Return sRGB of triangle `t` in the middle of its `part` samples; light its vertices first."""
    mx = np.float32(2 * x) + _QUARTER + np.float32(sx) * _HALF / part
    my = np.float32(2 * y) + _HALF + np.float32(sy) / part
    if scratch.seen[t] != frame:
        scratch.seen[t] = frame
        illuminate(t, model, moment, scratch.lit, scratch.stamp, frame)
    return shade(t, mx, my, model, moment, scratch.lit)


@kernel
def cover_all(model: Model, moment: Moment, lists: Lists, scratch: Scratch, width: int) -> None:
    """Cover every band and draw nothing: for benchmarks."""
    for band in range(lists.counts.shape[0]):
        if lists.counts[band, 1]:
            left, right = lists.span[band, 0] // 2, min(lists.span[band, 1] // 2, width - 1)
            cover(
                model.faces, moment.clip, lists.items[band], lists.counts[band, 0],
                band * scratch.samples.shape[0], 2 * left, 2 * right + 1, scratch.samples,
            )  # fmt: skip

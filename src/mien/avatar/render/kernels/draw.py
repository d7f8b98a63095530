"""A tile of the picture: which triangle each sample shows, what colour that is, four samples a pixel."""

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
    TILE_HEIGHT,
    TILE_WIDTH,
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
_WIDTH, _HEIGHT = TILE_WIDTH // 2, TILE_HEIGHT // 2  # pixels of a tile
_QUARTER, _HALF, _FULL = np.float32(0.25), np.float32(0.5), np.float32(255.0)
_ZERO, _FOUR = np.float32(0.0), np.float32(4.0)
Four = tuple[int, int, int, int]
Level = tuple[np.float32, np.float32, np.float32, np.float32]


@kernel
def draw(
    first: int, last: int, model: Model, moment: Moment, lists: Lists, scratch: Scratch, frame: int,
    backgrounds: Bytes, picture: Bytes,
) -> None:  # fmt: skip
    """Fill rows `first` to `last` of tiles of `picture` (H, W, 3 or 4)."""
    height, width = picture.shape[:2]
    across = -(-width // _WIDTH)
    for tile in range(first * across, last * across):
        left, top = tile % across * _WIDTH, tile // across * _HEIGHT
        place = top, min(top + _HEIGHT, height), left, min(left + _WIDTH, width)
        if lists.moving[tile]:
            cover_tile(tile, place, model, moment, lists, scratch)
            paint(place, model, moment, scratch, frame, backgrounds)
            interleave(scratch.strip, place, picture)
        else:
            stand(backgrounds, place, picture)


@kernel
def draw_planes(
    first: int, last: int, model: Model, moment: Moment, lists: Lists, scratch: Scratch, frame: int,
    backgrounds: Bytes, flat: Bytes,
) -> None:  # fmt: skip
    """Fill what moves in rows `first` to `last` of tiles of the planes; see `yuv.convert`."""
    height, width = backgrounds.shape[1], backgrounds.shape[2]
    across = -(-width // _WIDTH)
    for tile in range(first * across, last * across):
        if lists.moving[tile]:
            left, top = tile % across * _WIDTH, tile // across * _HEIGHT
            place = top, min(top + _HEIGHT, height), left, min(left + _WIDTH, width)
            cover_tile(tile, place, model, moment, lists, scratch)
            paint(place, model, moment, scratch, frame, backgrounds)
            convert(scratch.strip, place, height, width, flat)


@inline
def stand(backgrounds: Bytes, place: Four, picture: Bytes) -> None:
    """Show what never moves."""
    top, bottom, left, right = place
    for y in range(top, bottom):
        for x in range(left, right):
            for channel in range(picture.shape[2]):
                picture[y, x, channel] = backgrounds[1, y, x, channel]


@inline
def interleave(strip: Bytes, place: Four, picture: Bytes) -> None:
    """Show a tile: `strip` has a plane for each channel, `picture` all channels of a pixel together."""
    top, bottom, left, right = place
    for y in range(bottom - top):
        for channel in range(picture.shape[2]):
            for x in range(right - left):
                picture[top + y, left + x, channel] = strip[channel, y, x]


@inline
def cover_tile(tile: int, place: Four, model: Model, moment: Moment, lists: Lists, scratch: Scratch) -> None:
    """Find which triangles the samples of a tile show."""
    begin, end = lists.starts[tile], lists.starts[tile + 1]
    top, left, right = 2 * place[0], 2 * place[2], 2 * place[3] - 1
    samples, farthest = scratch.samples, scratch.farthest
    cover(model.faces, moment.clip, lists, begin, end, top, left, right, samples, farthest)


@inline
def paint(
    place: Four, model: Model, moment: Moment, scratch: Scratch, frame: int, backgrounds: Bytes
) -> None:
    """Draw a tile, rows and columns `place` of the picture, into the planes of `scratch.strip`."""
    samples, strip, (top, bottom, left, right) = scratch.samples, scratch.strip, place
    for y in range(top, bottom):
        i, upper, lower = np.uintp(y - top), np.uintp(2 * (y - top)), np.uintp(2 * (y - top) + 1)
        for x in range(left, right):
            j, even, odd = np.uintp(x - left), np.uintp(2 * (x - left)), np.uintp(2 * (x - left) + 1)
            s = samples[upper, even], samples[upper, odd], samples[lower, even], samples[lower, odd]
            if min(s[0] & _ID, s[1] & _ID, s[2] & _ID, s[3] & _ID) >= model.still:
                for channel in range(strip.shape[0]):
                    strip[np.uintp(channel), i, j] = backgrounds[1, y, x, channel]
                continue
            red, green, blue, alpha = resolve(s, x, y, model, moment, scratch, frame, backgrounds)
            if strip.shape[0] == 4:
                strip[3, i, j] = int(alpha * _FULL * _QUARTER + _HALF)
                scale = _FOUR / alpha
                red, green, blue = red * scale, green * scale, blue * scale
            strip[0, i, j] = int(red * _QUARTER + _HALF)
            strip[1, i, j] = int(green * _QUARTER + _HALF)
            strip[2, i, j] = int(blue * _QUARTER + _HALF)


@inline
def resolve(
    s: Four, x: int, y: int, model: Model, moment: Moment, scratch: Scratch, frame: int, backgrounds: Bytes
) -> Level:
    """Return the sum over the samples `s` of pixel `x`, `y`, and how many of them show a triangle."""
    whole = ((s[0] ^ s[1]) | (s[0] ^ s[2]) | (s[0] ^ s[3])) & _ID == 0
    red, green, blue, alpha, done = _ZERO, _ZERO, _ZERO, _ZERO, 0
    for k in range(4):
        if done >> k & 1:
            continue
        alike, share, sx, sy = (15, 4, 6, 2) if whole else gathered(s, k, done, model.faces)
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
    return shade(t, mx, my, model, moment, scratch.lit, scratch.mix)


@kernel
def cover_all(model: Model, moment: Moment, lists: Lists, scratch: Scratch, width: int) -> None:
    """Cover every tile and draw nothing: for benchmarks."""
    across = -(-width // _WIDTH)
    for tile in range(lists.moving.shape[0]):
        if lists.moving[tile]:
            left, top = tile % across * _WIDTH, tile // across * _HEIGHT
            place = top, top + _HEIGHT, left, min(left + _WIDTH, width)
            cover_tile(tile, place, model, moment, lists, scratch)

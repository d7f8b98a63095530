"""From a pose to triangles on the screen: morph, project, sort into tiles."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Ints
from mien.avatar.render.jit import inline, kernel
from mien.avatar.render.layout import FAR, HEAD, NEAR, TILE_HEIGHT, TILE_WIDTH, TWO_SIDED, A, B, C, Lists

_NEAR_INVERSE = 1.0 / NEAR
_DEPTH = 1.0 / (1.0 / NEAR - 1.0 / FAR)
_THIN, _NONE = np.float32(1e-6), np.float32(0.0)


@kernel
def morph(
    base: Floats, out: Floats, start: Ints, index: Ints, delta: Floats, active: Ints, weights: Floats
) -> None:
    """Set `out` (V, 6) to `base` plus the `active` morph targets times their `weights`."""
    for row in range(base.shape[0]):
        for column in range(6):
            out[row, column] = base[row, column]
    for k in active:
        weight = weights[k]
        for row in range(start[k], start[k + 1]):
            vertex = index[row]
            for column in range(6):
                out[vertex, column] += weight * delta[row, column]


@kernel
def roll(points: Floats, start: int, end: int, turn: Floats, center: Floats) -> None:
    """Turn (3, 3) rows `start` to `end` of `points` (V, 6), an eyeball, about its `center` (3,)."""
    for i in range(start, end):
        for column, x0, y0, z0 in ((0, center[0], center[1], center[2]), (3, _NONE, _NONE, _NONE)):
            x, y, z = points[i, column] - x0, points[i, column + 1] - y0, points[i, column + 2] - z0
            points[i, column] = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z + x0
            points[i, column + 1] = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z + y0
            points[i, column + 2] = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z + z0


@kernel
def project(points: Floats, static: Floats, head: Floats, camera: Floats, clip: Floats) -> None:
    """Set `clip` (V, 3) to each vertex's x and y in samples and its depth: 0 near, 1 far, -1 behind.

    `head` (4, 3): rotation and pivot. `camera`: see `Camera.matrix`. Depth is linear on the screen.
    """
    for i in range(points.shape[0]):
        weight = static[i, HEAD]
        x, y, z = points[i, 0] - head[3, 0], points[i, 1] - head[3, 1], points[i, 2] - head[3, 2]
        dx = head[0, 0] * x + head[0, 1] * y + head[0, 2] * z - x
        dy = head[1, 0] * x + head[1, 1] * y + head[1, 2] * z - y
        dz = head[2, 0] * x + head[2, 1] * y + head[2, 2] * z - z
        x = points[i, 0] + dx * weight - camera[3, 0]
        y = points[i, 1] + dy * weight - camera[3, 1]
        z = points[i, 2] + dz * weight - camera[3, 2]
        away = camera[2, 0] * x + camera[2, 1] * y + camera[2, 2] * z
        if away <= NEAR:
            clip[i, 0], clip[i, 1], clip[i, 2] = 0.0, 0.0, -1.0
            continue
        scale = camera[4, 0] / away
        clip[i, 0] = camera[4, 1] + (camera[0, 0] * x + camera[0, 1] * y + camera[0, 2] * z) * scale
        clip[i, 1] = camera[4, 2] - (camera[1, 0] * x + camera[1, 1] * y + camera[1, 2] * z) * scale
        clip[i, 2] = (_NEAR_INVERSE - 1.0 / away) * _DEPTH


@kernel
def sort(faces: Ints, clip: Floats, width: int, height: int, still: int, lists: Lists) -> int:
    """List for each tile the triangles that may cover a sample of it; return how many entries that takes.

    A picture has `width` x `height` samples. When `lists.items` is too short nothing is listed. Left out:
    what is behind the camera, outside, turned away, or between the samples. Those before `still` move.
    """
    starts, moving, items, boxes = lists.starts, lists.moving, lists.items, lists.boxes
    across = -(-width // TILE_WIDTH)
    starts[:] = 0
    moving[:] = 0
    for t in range(faces.shape[0]):
        box(faces, clip, t, width, height, boxes, lists.near)
        for row in range(boxes[t, 2] // TILE_HEIGHT, boxes[t, 3] // TILE_HEIGHT + 1):
            begin, end = boxes[t, 0] // TILE_WIDTH, boxes[t, 1] // TILE_WIDTH
            for tile in range(row * across + begin, row * across + end + 1):
                starts[tile + 1] += 1
                moving[tile] += t < still
    for tile in range(1, starts.shape[0]):
        starts[tile] += starts[tile - 1]
    total = starts[starts.shape[0] - 1]
    if total > items.shape[0]:
        return int(total)
    for k in range(by_depth(boxes, lists.near, lists.order, lists.buckets) - 1, -1, -1):
        t = lists.order[k]
        for row in range(boxes[t, 2] // TILE_HEIGHT, boxes[t, 3] // TILE_HEIGHT + 1):
            begin, end = boxes[t, 0] // TILE_WIDTH, boxes[t, 1] // TILE_WIDTH
            for tile in range(row * across + begin, row * across + end + 1):
                starts[tile + 1] -= 1
                items[starts[tile + 1]] = t
    for tile in range(starts.shape[0] - 1):
        starts[tile] = starts[tile + 1]
    starts[starts.shape[0] - 1] = total
    return int(total)


@inline
def by_depth(boxes: NDArray[np.int16], near: Floats, order: Ints, buckets: Ints) -> int:
    """Set `order` to the triangles that show, by buckets of depth from near to far; return how many."""
    first, last = np.float32(1.0), np.float32(0.0)
    for t in range(boxes.shape[0]):
        if boxes[t, 2] <= boxes[t, 3]:
            first, last = min(first, near[t]), max(last, near[t])
    scale = np.float32(buckets.shape[0] - 2) / max(last - first, _THIN)
    buckets[:] = 0
    for t in range(boxes.shape[0]):
        if boxes[t, 2] <= boxes[t, 3]:
            buckets[int((near[t] - first) * scale) + 1] += 1
    for k in range(1, buckets.shape[0]):
        buckets[k] += buckets[k - 1]
    count = buckets[buckets.shape[0] - 1]
    for t in range(boxes.shape[0] - 1, -1, -1):
        if boxes[t, 2] <= boxes[t, 3]:
            k = int((near[t] - first) * scale) + 1
            buckets[k] -= 1
            order[buckets[k]] = t
    return int(count)


@inline
def box(
    faces: Ints, clip: Floats, t: int, width: int, height: int, boxes: NDArray[np.int16], near: Floats
) -> None:
    """Set which samples triangle `t` may cover."""
    a, b, c = np.uintp(faces[t, A]), np.uintp(faces[t, B]), np.uintp(faces[t, C])
    x0, y0, x1, y1, x2, y2 = clip[a, 0], clip[a, 1], clip[b, 0], clip[b, 1], clip[c, 0], clip[c, 1]
    boxes[t, 2], boxes[t, 3] = 0, -1
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if area == 0.0 or (area > 0.0 and faces[t, TWO_SIDED] == 0):
        return
    top, bottom = min(y0, y1, y2), max(y0, y1, y2)
    left, right = min(x0, x1, x2), max(x0, x1, x2)
    if right < 0.0 or left >= width or bottom < 0.0 or top >= height:
        return
    first, last = max(0, math.ceil(top - 0.5)), min(height, math.ceil(bottom - 0.5)) - 1
    if first > last or (right - left < 0.5 and math.floor(2 * left + 0.5) == math.floor(2 * right + 0.5)):
        return
    near[t] = min(clip[a, 2], clip[b, 2], clip[c, 2])
    if near[t] < 0.0:
        return
    boxes[t, 0], boxes[t, 1] = max(0, int(left - 1.0)), min(width - 1, int(right))
    boxes[t, 2], boxes[t, 3] = first, last

"""A small rasteriser: which triangle is nearest at each pixel, and how near. It bakes light, finds what is
never seen, and finds the triangle under each texel. Its first use compiles it, once per machine.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mien.avatar.render.jit import exact_kernel

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

FAR = np.float32(1e30)


@exact_kernel
def _rasterise(points: Floats, triangles: Ints, depth: Floats, owner: Ints) -> None:
    height, width = depth.shape
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        x0, y0, z0 = points[a, 0], points[a, 1], points[a, 2]
        x1, y1 = points[b, 0] - x0, points[b, 1] - y0
        x2, y2 = points[c, 0] - x0, points[c, 1] - y0
        area = x1 * y2 - x2 * y1
        if area == 0.0:
            continue
        left = max(0, math.ceil(x0 + min(0.0, x1, x2) - 0.5))
        right = min(width - 1, math.floor(x0 + max(0.0, x1, x2) - 0.5))
        top = max(0, math.ceil(y0 + min(0.0, y1, y2) - 0.5))
        bottom = min(height - 1, math.floor(y0 + max(0.0, y1, y2) - 0.5))
        if left > right or top > bottom:
            continue
        z1, z2 = (points[b, 2] - z0) / area, (points[c, 2] - z0) / area
        for y in range(top, bottom + 1):
            dy = y + 0.5 - y0
            for x in range(left, right + 1):
                dx = x + 0.5 - x0
                u, v = dx * y2 - x2 * dy, x1 * dy - dx * y1
                if area < 0.0:
                    inside = u <= 0.0 and v <= 0.0 and u + v >= area
                else:
                    inside = u >= 0.0 and v >= 0.0 and u + v <= area
                if inside:
                    z = np.float32(z0 + u * z1 + v * z2)
                    if z < depth[y, x]:
                        depth[y, x] = z
                        owner[y, x] = t


@exact_kernel
def _visible(points: Floats, depth: Floats, bias: np.float32, seen: NDArray[np.uint8]) -> None:
    height, width = depth.shape
    for i in range(points.shape[0]):
        x, y = math.floor(points[i, 0]), math.floor(points[i, 1])
        seen[i] = 1
        if 0 <= x < width and 0 <= y < height and points[i, 2] - bias > depth[y, x]:
            seen[i] = 0


def rasterise(points: Floats, triangles: Ints, height: int, width: int) -> tuple[Floats, Ints]:
    """Draw triangles (F, 3) of `points` (V, 3): x and y in pixels, z growing away from the viewer.

    Returns the nearest depth (height, width), `FAR` where there is nothing, and its triangle, or -1.
    Both sides of a triangle are drawn.
    """
    depth, owner = np.full((height, width), FAR, np.float32), np.full((height, width), -1, np.int32)
    points, triangles = np.ascontiguousarray(points, np.float32), np.ascontiguousarray(triangles, np.int32)
    _rasterise(points, triangles, depth, owner)
    return depth, owner


def visible(points: Floats, depth: Floats, bias: float) -> NDArray[np.uint8]:
    """Return 1 (V,) for each point (V, 3), in the pixels of `depth`, at most `bias` behind it, else 0."""
    seen = np.empty(len(points), np.uint8)
    _visible(np.ascontiguousarray(points, np.float32), depth, np.float32(bias), seen)
    return seen

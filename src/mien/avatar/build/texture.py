"""From vertices to texels: which point of the skin lies under each texel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from mien.avatar.build.depthmap import rasterise
from mien.avatar.build.human import Doubles, Indices


@dataclass(frozen=True, slots=True, eq=False)
class Texels:
    """The covered texels of a (size, size) texture, row 0 at v = 1: `where` (rows, columns), and for each the
    corners (N, 3) of the triangle over it and their weights (N, 3).
    """

    size: int
    where: tuple[Indices, ...]
    corners: Indices
    weights: Doubles

    def spread(self, rows: Doubles) -> Doubles:
        """Return per-vertex values (V, ...) at the covered texels (N, ...)."""
        weights = self.weights.reshape(*self.weights.shape, *[1] * (rows.ndim - 1))
        return np.asarray((rows[self.corners] * weights).sum(axis=1))


def cover_texels(uvs: Doubles, triangles: Indices, size: int) -> Texels:
    """Find the texels under a mesh's triangles in uv space."""
    pixels = np.stack([uvs[:, 0] * size, (1 - uvs[:, 1]) * size], 1)
    flat = np.c_[pixels, np.zeros(len(uvs))].astype(np.float32)
    _, owner = rasterise(flat, triangles.astype(np.int32), size, size)
    where = np.nonzero(owner >= 0)
    corners = triangles[owner[where]]
    at = np.stack([where[1], where[0]], 1) + 0.5
    a, b, c = (pixels[corners[:, k]] for k in range(3))
    ab, ac, ap = b - a, c - a, at - a
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    u = (ap[:, 0] * ac[:, 1] - ap[:, 1] * ac[:, 0]) / area
    v = (ab[:, 0] * ap[:, 1] - ab[:, 1] * ap[:, 0]) / area
    return Texels(size, where, corners, np.stack([1 - u - v, u, v], 1))


def bleed(picture: NDArray[np.float64], covered: NDArray[np.bool_], reach: int = 16) -> NDArray[np.float64]:
    """Give each texel within `reach` of a covered one the nearest's value, so that filtering at an island's
    edge meets no empty texel; what lies further away is 0.
    """
    away, (rows, columns) = distance_transform_edt(~covered, return_indices=True)
    return np.where((away <= reach)[..., None], picture[rows, columns], 0)

"""Which vertices of a mesh are neighbours."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Ints

Mask = NDArray[np.bool_]
_MOST = 8  # neighbours that a vertex may have to be looked at
_FINE = 1e6  # points in the same micrometre are one


class Rings:
    """The neighbours of `count` vertices of `triangles` (F, 3)."""

    def __init__(self, triangles: Ints, count: int) -> None:
        corners = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        keys, times = np.unique(
            corners.min(axis=1) * np.int64(count) + corners.max(axis=1), return_counts=True
        )
        edges = np.stack([keys // count, keys % count], axis=1)
        both = np.concatenate([edges, edges[:, ::-1]])
        order = np.lexsort((both[:, 1], both[:, 0]))
        self._others, self._rim = both[order, 1], np.tile(times == 1, 2)[order]
        self._starts = np.searchsorted(both[order, 0], np.arange(count + 1))
        self._count = count
        rims = np.zeros(count, np.int32)
        np.add.at(rims, both[order, 0], self._rim)
        self.rims = rims  # edges at the rim of the mesh, of each vertex

    def seams(self, points: Floats) -> Mask:
        """Return (V,) which vertices lie where another one lies, or where more than one rim meets."""
        x, y, z = (points * _FINE).round().astype(np.int64).T % (1 << 21)
        _, inverse, times = np.unique(x << 42 | y << 21 | z, return_inverse=True, return_counts=True)
        return np.asarray((times[inverse] > 1) | ((self.rims != 0) & (self.rims != 2)))

    def pairs(self, free: Mask) -> tuple[Ints, Ints, Ints]:
        """Return each `free` vertex with each two of its neighbours; at a rim, with those along it."""
        degrees, found = np.diff(self._starts), []
        for degree in range(2, _MOST + 1):
            inside = np.flatnonzero((degrees == degree) & (self.rims == 0) & free)
            ring = self._others[self._starts[inside, None] + np.arange(degree)]
            found += [np.stack([inside, ring[:, i], ring[:, j]]) for i, j in combinations(range(degree), 2)]
        along = np.flatnonzero(np.repeat((self.rims == 2) & free, degrees) & self._rim).reshape(-1, 2)
        owners = np.repeat(np.arange(self._count), degrees)[along[:, 0]]
        found.append(np.stack([owners, self._others[along[:, 0]], self._others[along[:, 1]]]))
        v, u, w = np.concatenate(found, axis=1)
        return v, u, w

    def apart(self, v: Ints, u: Ints, error: Floats) -> Ints:
        """Return (V,) what each vertex is pulled into: `v` into `u`, least `error` first, no two beside."""
        target, blocked = np.arange(self._count, dtype=np.int32), bytearray(self._count)
        order = np.lexsort((v, error))
        for one, other in zip(v[order].tolist(), u[order].tolist(), strict=True):
            ring = self._ring(one)
            shared = len(ring.intersection(self._ring(other)))
            if blocked[one] or shared != (1 if self.rims[one] else 2):
                continue
            target[one] = other
            blocked[one] = 1
            for neighbour in ring:
                blocked[neighbour] = 1
        return target

    def _ring(self, vertex: int) -> set[int]:
        return set(self._others[self._starts[vertex] : self._starts[vertex + 1]].tolist())

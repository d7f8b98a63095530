"""A surface given by points and normals, on which other things lie at a distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from mien.avatar.build.geometry import unit
from mien.avatar.build.human import Doubles

NEIGHBOURS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """`points`, `normals` (V, 3), dense enough to tell inside from outside."""

    points: Doubles
    normals: Doubles
    tree: cKDTree

    @classmethod
    def of(cls, points: Doubles, normals: Doubles) -> Surface:
        """Return the surface through points (V, 3) with unit normals (V, 3)."""
        return cls(points, normals, cKDTree(points))

    def distance(self, points: Doubles) -> tuple[Doubles, Doubles]:
        """Return the signed distance of points (N, 3) to the surface, and its normal there (N, 3)."""
        near, share = self._nearest(points)
        normals = self.normals[near]
        along = ((points[:, None] - self.points[near]) * normals).sum(axis=2)
        return (along * share).sum(axis=1), unit((normals * share[..., None]).sum(axis=1))

    def gather(self, points: Doubles, values: Doubles) -> Doubles:
        """Return per-point values (V,) of the surface at points (N, 3) near it."""
        near, share = self._nearest(points)
        return np.asarray((values[near] * share).sum(axis=1))

    def settle(self, points: Doubles, offset: Doubles | float, steps: int = 5) -> Doubles:
        """Move points (N, 3) along the surface's normals until they lie at `offset` from it."""
        for _ in range(steps):
            distance, normals = self.distance(points)
            points = points + (offset - distance)[:, None] * normals
        return points

    def project(self, points: Doubles, steps: int = 12) -> Doubles:
        """Move points (N, 3) along Z alone, from the front, until they lie on the surface."""
        points = points.copy()
        for _ in range(steps):
            distance, normals = self.distance(points)
            points[:, 2] -= 0.8 * distance / np.maximum(normals[:, 2], 0.4)
        return points

    def _nearest(self, points: Doubles) -> tuple[Doubles, Doubles]:
        reach, near = self.tree.query(points, k=NEIGHBOURS)
        share = 1 / (reach + 1e-3) ** 2
        return near, share / share.sum(axis=1, keepdims=True)

"""Transparent parts of a picture cut out of the mesh, since the renderer draws only what is solid."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mien.avatar.build.draft import Draft
from mien.avatar.build.geometry import clip

Doubles = NDArray[np.float64]

TEXELS = 5.0  # an edge of a triangle that lies across the outline is no longer than so many
MOST_TRIANGLES = 120_000
_ROUNDS = 7


def cut(made: Draft, alpha: NDArray[np.uint8], cutoff: float) -> None:
    """Drop in place what is less opaque than `cutoff`; `alpha` (H, W), `uvs` from its upper left."""
    for _ in range(_ROUNDS):
        crossing = _crossing(made, alpha, cutoff)
        if not crossing.any() or len(made.triangles) > MOST_TRIANGLES:
            break
        _split(made, crossing)
    triangles, matrix, _ = clip(made.triangles, cutoff - _sample(alpha, made.uvs))
    _rebuild(made, triangles, matrix)


def _crossing(made: Draft, alpha: NDArray[np.uint8], cutoff: float) -> NDArray[np.bool_]:
    """Return which triangles are large and may have an outline inside."""
    corners = made.uvs[made.triangles]
    shape = np.array([alpha.shape[1], alpha.shape[0]])
    size = (np.ptp(corners, axis=1) * shape).max(axis=1)
    low, high = _range(alpha, corners)
    return np.asarray((size > TEXELS) & (low < cutoff) & (high > cutoff))


def _range(alpha: NDArray[np.uint8], corners: Doubles) -> tuple[Doubles, Doubles]:
    """Return the least and the most opacity at points spread over each triangle."""
    shares = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]
    values = np.stack(
        [_sample(alpha, np.einsum("k,fkc->fc", np.array(share) / 6, corners)) for share in shares]
    )
    return values.min(axis=0), values.max(axis=0)


def _sample(alpha: NDArray[np.uint8], uvs: Doubles) -> Doubles:
    height, width = alpha.shape
    x = np.clip(uvs[:, 0] * width - 0.5, 0, width - 1.001)
    y = np.clip(uvs[:, 1] * height - 0.5, 0, height - 1.001)
    column, row = x.astype(np.intp), y.astype(np.intp)
    fx, fy = x - column, y - row
    right, down = np.minimum(column + 1, width - 1), np.minimum(row + 1, height - 1)
    upper = alpha[row, column] * (1 - fx) + alpha[row, right] * fx
    lower = alpha[down, column] * (1 - fx) + alpha[down, right] * fx
    return np.asarray((upper * (1 - fy) + lower * fy) / 255)


def _split(made: Draft, chosen: NDArray[np.bool_]) -> None:
    """Split each chosen triangle into four; the points between lie on its edges, so nothing moves."""
    old, count = made.triangles[chosen], len(made.positions)
    edges, inverse = np.unique(
        np.sort(old[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0, return_inverse=True
    )
    ab, bc, ca = (count + inverse.reshape(-1, 3)).T
    a, b, c = old.T
    quarters = [np.stack(corners, 1) for corners in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    rows = np.repeat(np.arange(len(edges)), 2)
    halves = sp.csr_matrix((np.full(rows.shape, 0.5), (rows, edges.ravel())), (len(edges), count))
    matrix = sp.vstack([sp.identity(count), halves]).tocsr()
    _rebuild(made, np.concatenate([made.triangles[~chosen], *quarters]), matrix)


def _rebuild(made: Draft, triangles: NDArray[np.int64], matrix: sp.csr_matrix) -> None:
    """Make all vertices anew by `matrix` (V', V), and keep those that are used."""
    for name in ("positions", "normals", "uvs", "color", "extra", "head_weight"):
        setattr(made, name, matrix @ getattr(made, name))
    made.morphs = {name: matrix @ moves for name, moves in made.morphs.items()}
    made.keep(triangles)

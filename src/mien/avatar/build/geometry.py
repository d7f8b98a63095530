"""Meshes as arrays: subdivision, normals, clipping, smoothing. Lengths in decimetres, all pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from mien.avatar.build.human import Doubles, Indices

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Table = Sequence[tuple[float, float]]


def smoothstep(low: float, high: float, x: Doubles | float) -> Doubles:
    """Return 0 below `low`, 1 above `high` (or the reverse when `low > high`), smooth between."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def lookup(x: Doubles, table: Table) -> Doubles:
    """Return a table of (place, value) pairs at `x`, linear between, held outside."""
    places, values = np.array(table).T
    return np.asarray(np.interp(x, places, values))


def unit(vectors: Doubles) -> Doubles:
    """Return the vectors (..., 3) at length one; a zero vector stays zero."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12))


def triangulate(quads: Indices) -> Indices:
    """Cut quads (F, 4) into triangles (2 F, 3)."""
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def compact(faces: Indices) -> tuple[Indices, Indices]:
    """Return the vertices that faces use, and the faces in terms of those."""
    used, inverse = np.unique(faces, return_inverse=True)
    return used, inverse.reshape(faces.shape)


def vertex_normals(positions: Doubles, triangles: Indices, weld: Indices | None = None) -> Doubles:
    """Return area-weighted unit normals (V, 3); vertices with the same `weld` number (V,) share one."""
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    owner = np.arange(len(positions)) if weld is None else weld
    corners, count = owner[triangles], int(owner.max()) + 1
    sums = np.stack(
        [sum(np.bincount(corners[:, k], faces[:, axis], count) for k in range(3)) for axis in range(3)], 1
    )
    return unit(sums)[owner]


def subdivide(quads: Indices, count: int, *, smooth: bool = True) -> tuple[sp.csr_matrix, Indices]:
    """One Catmull-Clark step over quads (F, 4) of `count` vertices (Catmull and Clark, 1978).

    Returns the matrix (V', count) that makes the new vertices, so that morph targets go through the
    same, and the new quads (4 F, 4). Without `smooth` the step is bilinear (for uvs).
    """
    faces = len(quads)
    ends = np.sort(np.stack([quads, np.roll(quads, -1, 1)], -1).reshape(-1, 2), axis=1)
    edges, inverse, uses = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    of_face = inverse.reshape(faces, 4)
    centre = _incidence(quads.T.ravel(), np.tile(np.arange(faces), 4), count, faces).T * 0.25
    middle = _incidence(edges.T.ravel(), np.tile(np.arange(len(edges)), 2), count, len(edges)).T * 0.5
    corner, edge = sp.identity(count), middle
    if smooth:
        open_edge = uses == 1
        corner, edge = _smooth_rules(quads, edges, of_face, open_edge, centre, middle, count)
    on_edge, on_face = count + of_face, count + len(edges) + np.arange(faces)
    parts = [np.stack([quads[:, k], on_edge[:, k], on_face, on_edge[:, k - 1]], 1) for k in range(4)]
    return sp.vstack([corner, edge, centre]).tocsr(), np.stack(parts, 1).reshape(-1, 4)


def coarsen(quads: Indices, fine: Bools, weld: Indices) -> Indices:
    """Return triangles of a mesh that `subdivide` made (4 F, 4), whole faces where not `fine` (F,).

    Vertices with the same `weld` number (V,) are at one place: next to a fine face a coarse one takes in the
    middles of its edges, so that no crack opens.
    """
    each = quads.reshape(-1, 4, 4)
    corner, middle, centre = each[:, :, 0], each[:, :, 1], each[:, 0, 2]
    shared = np.zeros(int(weld.max()) + 1, bool)
    shared[weld[middle[fine]]] = True
    split = shared[weld[middle]] & ~fine[:, None]
    plain, fan = ~fine & ~split.any(axis=1), np.flatnonzero(split.any(axis=1))
    kept = [triangulate(quads[np.repeat(fine, 4)]), triangulate(corner[plain])]
    for k in range(4):
        whole, cut = fan[~split[fan, k]], fan[split[fan, k]]
        after = (k + 1) % 4
        kept.append(np.stack([centre[whole], corner[whole, k], corner[whole, after]], 1))
        kept.append(np.stack([centre[cut], corner[cut, k], middle[cut, k]], 1))
        kept.append(np.stack([centre[cut], middle[cut, k], corner[cut, after]], 1))
    return np.concatenate(kept)


def _incidence(rows: Indices, columns: Indices, height: int, width: int) -> sp.csr_matrix:
    return sp.csr_matrix((np.ones(len(rows)), (rows, columns)), (height, width))


def _smooth_rules(
    quads: Indices,
    edges: Indices,
    of_face: Indices,
    open_edge: Bools,
    centre: sp.csr_matrix,
    middle: sp.csr_matrix,
    count: int,
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """Return the rules for old vertices and for edges; open edges follow the cubic B-spline rule."""
    faces, lines = np.arange(len(quads)), np.arange(len(edges))
    edge_faces = _incidence(of_face.T.ravel(), np.tile(faces, 4), len(edges), len(quads))
    mean_faces = sp.diags(1 / np.maximum(_row_sums(edge_faces), 1)) @ edge_faces @ centre
    edge = sp.diags(np.where(open_edge, 0, 0.5)) @ mean_faces + sp.diags(np.where(open_edge, 1, 0.5)) @ middle
    at_faces = _incidence(quads.T.ravel(), np.tile(faces, 4), count, len(quads))
    at_edges = _incidence(edges.T.ravel(), np.tile(lines, 2), count, len(edges))
    n, m = np.maximum(_row_sums(at_faces), 1), np.maximum(_row_sums(at_edges), 1)
    inner = sp.diags(1 / n**2) @ at_faces @ centre + sp.diags(2 / n / m) @ at_edges @ middle
    inner = inner + sp.diags((n - 3) / n)
    rim = edges[open_edge]
    beside = _incidence(np.r_[rim[:, 0], rim[:, 1]], np.r_[rim[:, 1], rim[:, 0]], count, count)
    border = sp.diags(0.25 / np.maximum(_row_sums(beside), 1)) @ beside + sp.diags(np.full(count, 0.75))
    on_border = np.zeros(count)
    on_border[rim.ravel()] = 1
    return sp.diags(1 - on_border) @ inner + sp.diags(on_border) @ border, edge


def _row_sums(matrix: sp.csr_matrix) -> Doubles:
    return np.asarray(matrix.sum(1), np.float64).ravel()


def relax(values: Doubles, triangles: Indices, passes: int) -> Doubles:
    """Return per-vertex values (V, ...) averaged `passes` times, half and half, with their neighbours."""
    count = len(values)
    pairs = triangles[:, [0, 1, 1, 2, 2, 0]].ravel(), triangles[:, [1, 0, 2, 1, 0, 2]].ravel()
    beside = sp.csr_matrix((np.ones(len(pairs[0])), pairs), (count, count))
    beside.data[:] = 1
    mean = sp.diags(1 / np.maximum(_row_sums(beside), 1)) @ beside
    for _ in range(passes):
        values = 0.5 * values + 0.5 * (mean @ values)
    return values


def clip(triangles: Indices, field: Doubles) -> tuple[Indices, sp.csr_matrix, Indices]:
    """Keep the part of a mesh where a per-vertex `field` (V,) is at most 0, cut along its zero line.

    Returns the triangles, the matrix (V', V) that makes the vertices, and those that lie on the cut.
    """
    inside = (field <= 0)[triangles]
    total, count = inside.sum(1), len(field)
    two, one = triangles[total == 2], triangles[total == 1]
    out, b, c = _rotated(two, ~inside[total == 2])
    a, d, e = _rotated(one, inside[total == 1])
    ends = np.concatenate([np.stack(pair, 1) for pair in ((out, b), (out, c), (a, d), (a, e))])
    edges, inverse = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    x, y, p, q = np.split(count + inverse.ravel(), np.cumsum([len(out), len(out), len(a)]))
    kept = [triangles[total == 3]]
    kept += [np.stack(corners, 1) for corners in ((x, b, c), (x, c, y), (a, p, q))]
    part = field[edges[:, 0]] / (field[edges[:, 0]] - field[edges[:, 1]])
    rows = np.tile(np.arange(len(edges)), 2)
    mix = sp.csr_matrix((np.r_[1 - part, part], (rows, edges.T.ravel())), (len(edges), count))
    return np.concatenate(kept), sp.vstack([sp.identity(count), mix]).tocsr(), count + np.arange(len(edges))


def _rotated(triangles: Indices, first: Bools) -> tuple[Indices, Indices, Indices]:
    """Return the corners of each triangle in order, starting at its one marked corner."""
    start = first.argmax(1)
    rows = np.arange(len(triangles))
    a, b, c = (triangles[rows, (start + k) % 3] for k in range(3))
    return a, b, c


def open_edges(triangles: Indices, among: Indices) -> Indices:
    """Return the directed edges (E, 2) that only one triangle has and whose ends are both in `among`."""
    edges = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edges = edges[np.isin(edges, among).all(1)]
    _, inverse, uses = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    return np.asarray(edges[uses[inverse.ravel()] == 1])


def cast_back(positions: Doubles, triangles: Indices, points: Doubles) -> tuple[Indices, Doubles]:
    """Cast a ray along -Z at each (x, y) of `points` (N, 2) and return the triangle it meets first
    (corners (N, 3)) and the barycentric weights there (N, 3).
    """
    corners, weights = np.zeros((len(points), 3), np.int64), np.zeros((len(points), 3))
    flat = positions[triangles, :2]
    low, high = flat.min(axis=1) - _NEAR, flat.max(axis=1) + _NEAR
    order = np.lexsort((points[:, 1], np.floor(points[:, 0] / _STRIP)))
    for rows in np.array_split(order, max(len(points) // _TOGETHER, 1)):
        some = points[rows]
        near = ((low <= some.max(axis=0)) & (high >= some.min(axis=0))).all(axis=1)
        near[0] |= not near.any()
        corners[rows], weights[rows] = _hits(positions, triangles[near], some)
    return corners, weights


_NEAR, _STRIP, _TOGETHER = (
    1e-4,
    0.05,
    64,
)  # margin and width in dm; rays for which triangles are chosen at once


def _hits(positions: Doubles, triangles: Indices, points: Doubles) -> tuple[Indices, Doubles]:
    """Do what `cast_back` does, trying each triangle for each ray."""
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    ab, ac = (b - a)[:, :2], (c - a)[:, :2]
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    area = np.where(np.abs(area) < 1e-12, 1e-12, area)
    at = points[:, None] - a[:, :2]
    u = (at[..., 0] * ac[:, 1] - at[..., 1] * ac[:, 0]) / area
    v = (ab[:, 0] * at[..., 1] - ab[:, 1] * at[..., 0]) / area
    miss = (u < -1e-6) | (v < -1e-6) | (u + v > 1 + 1e-6)
    depth = np.where(miss, -np.inf, a[:, 2] + u * (b - a)[:, 2] + v * (c - a)[:, 2])
    hit = depth.argmax(axis=1)
    u, v = (np.take_along_axis(share, hit[:, None], axis=1)[:, 0] for share in (u, v))
    return triangles[hit], np.stack([1 - u - v, u, v], 1)

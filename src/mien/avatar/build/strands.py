"""Tapered flat strands: what lashes and brows are made of."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.draft import Draft, draft
from mien.avatar.build.eyes import grid_triangles
from mien.avatar.build.geometry import unit
from mien.avatar.build.human import Doubles, Indices


def ribbon_triangles(strands: int, points: int) -> Indices:
    """Return the triangles of strands of `points` pairs of vertices, in order strand, point, side."""
    one = grid_triangles(points, 2)
    return (one[None] + (np.arange(strands) * 2 * points)[:, None, None]).reshape(-1, 3)


def make_strands(
    name: str,
    centres: Doubles,
    facing: Doubles,
    half_widths: Doubles,
    moves: dict[str, Doubles],
    color: tuple[float, float, float] | Doubles,
) -> Draft:
    """Return strands as one draft that is not shaded by its own normals but by `facing`.

    `centres` (S, P, 3): the strands' centre lines; `facing` (S, P, 3): the normals that they lie flat on;
    `half_widths` (S, P); `moves`: deltas (S, P, 3) by ARKit name; `color`: of all, or (S, 3) of each.
    """
    strands, points = half_widths.shape
    sideways = unit(np.cross(np.gradient(centres, axis=1), facing)) * half_widths[..., None]
    positions = np.stack([centres - sideways, centres + sideways], 2).reshape(-1, 3)
    along = np.broadcast_to(np.linspace(0, 1, points)[:, None], (strands, points, 2))
    uvs = np.stack([np.broadcast_to([0.0, 1.0], along.shape), along], -1).reshape(-1, 2)
    morphs = {name: np.repeat(delta.reshape(-1, 3), 2, axis=0) for name, delta in moves.items()}
    made = draft(
        name,
        "strand",
        positions,
        ribbon_triangles(strands, points),
        uvs=uvs,
        color=np.repeat(np.broadcast_to(color, (strands, 3)), 2 * points, axis=0),
        morphs=morphs,
        two_sided=True,
    )
    made.normals = np.repeat(facing.reshape(-1, 3), 2, axis=0)
    return made

"""Ribbons of hair as a mesh: tapered, round in their shading, each with a colour of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mien.avatar.build.draft import Draft, draft
from mien.avatar.build.geometry import Table, lookup, smoothstep, unit
from mien.avatar.build.human import Doubles
from mien.avatar.build.noise import value_noise
from mien.avatar.build.person import Hair
from mien.avatar.build.strands import ribbon_triangles

TAPER: Table = ((0, 0.5), (0.08, 0.85), (0.3, 1.0), (0.65, 0.92), (0.85, 0.62), (1.0, 0.08))
TIED: Table = ((0, 0.08), (0.12, 0.35), (0.3, 0.8), (0.45, 1.0), (0.8, 0.8), (1.0, 0.3))  # pulled back
ROUNDNESS = 0.55  # how far a ribbon's normals lean to its edges
ROOT_SHADE, TIP_SHADE = 0.66, 1.12  # hair is darkest where it grows, lightest where the sun was
LOCKS = 4.5  # locks of like colour in a dm


def ribbons(
    paths: Doubles,
    facing: Doubles,
    width: Doubles,
    random: np.random.Generator,
    looks: Hair,
    *,
    tone: float = 1.0,
    taper: Table = TAPER,
) -> Draft:
    """Lay ribbons along centre lines (S, P, 3), flat on `facing` (S, P, 3), of half `width` (S,) dm.

    u runs across a ribbon, v along it; `extra` holds the tangent and the ribbon's seed.
    """
    strands, points = paths.shape[:2]
    tangent = unit(np.gradient(paths, axis=1))
    normal = unit(facing - tangent * (facing * tangent).sum(2, keepdims=True))
    sideways = np.cross(tangent, normal)
    t: Doubles = np.arange(points) / (points - 1)
    half = width[:, None, None] * lookup(t, taper)[:, None]
    both = (strands, points, 2)
    seed = np.broadcast_to(random.random((strands, 1, 1)), (strands, points, 1))
    hair = draft(
        "hair",
        "hair",
        np.stack([paths - sideways * half, paths + sideways * half], 2).reshape(-1, 3),
        ribbon_triangles(strands, points),
        uvs=np.stack([np.broadcast_to([0.0, 1.0], both), np.broadcast_to(t[:, None], both)], -1).reshape(
            -1, 2
        ),
        color=np.repeat(_color(paths[:, 0], t, random, looks, tone).reshape(-1, 3), 2, axis=0),
        extra=np.repeat(np.concatenate([tangent, seed], 2).reshape(-1, 4), 2, 0),
        two_sided=True,
    )
    hair.normals = unit(
        np.stack([normal - ROUNDNESS * sideways, normal + ROUNDNESS * sideways], 2).reshape(-1, 3)
    )
    return hair


def _color(roots: Doubles, t: Doubles, random: np.random.Generator, looks: Hair, tone: float) -> Doubles:
    """Return each point's colour (S, P, 3): locks of neighbours alike, each ribbon a little its own."""
    lock = value_noise(roots * LOCKS) - 0.5
    shade = tone * (1 + 0.45 * lock + random.uniform(-0.22, 0.22, len(roots)))[:, None]
    depth = shade * (ROOT_SHADE + (1 - ROOT_SHADE) * smoothstep(0, 0.22, t))
    depth = depth * (1 + (TIP_SHADE - 1) * smoothstep(0.5, 1, t))
    root, tip = np.array(looks.root), np.array(looks.tip)
    return np.asarray(depth[..., None] * (root + smoothstep(0.05, 0.9, t)[:, None] * (tip - root)))


def joined(pieces: Sequence[Draft]) -> Draft:
    """Return drafts without morphs as one."""
    offsets = np.cumsum([0, *(len(p.positions) for p in pieces)])
    whole = draft(
        "hair",
        "hair",
        np.concatenate([p.positions for p in pieces]),
        np.concatenate([p.triangles + o for p, o in zip(pieces, offsets, strict=False)]),
        uvs=np.concatenate([p.uvs for p in pieces]),
        color=np.concatenate([p.color for p in pieces]),
        extra=np.concatenate([p.extra for p in pieces]),
        two_sided=True,
    )
    whole.normals = np.concatenate([p.normals for p in pieces])
    return whole

"""The skin: the base mesh's head and shoulders, subdivided once, with all face units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import erf

from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.geometry import Bools, compact, smoothstep, subdivide, triangulate
from mien.avatar.build.human import Doubles, Human, Indices
from mien.avatar.build.landmarks import MOUTH_CORNER
from mien.avatar.build.masks import read_mask

LOWEST, WIDEST = -3.2, 2.6  # dm from between the eyes: the shoulders and chest that a portrait shows
SEAL = 0.14  # share of `mouthClose` that makes the base mesh's parted lips touch
CORNER_SEAL = 2.4  # how many times more near the mouth's corners, where they part most


@dataclass(frozen=True, slots=True, eq=False)
class Skin:
    """The skin's draft with what others build on.

    `weld` (V,): vertices at one place on both sides of a uv seam share a number;
    `mask_uvs` (V, 2): uvs of the base mesh, for its masks; `in_mouth`, `ears` (V,) bool.
    """

    draft: Draft
    weld: Indices
    mask_uvs: Doubles
    in_mouth: Bools
    ears: Bools

    def welded(self) -> tuple[Doubles, Doubles, Indices, Indices]:
        """Return positions, normals, triangles without seams, and the first vertex at each place."""
        _, first = np.unique(self.weld, return_index=True)
        return self.draft.positions[first], self.draft.normals[first], self.weld[self.draft.triangles], first


def make_skin(human: Human, cast: Cast) -> Skin:
    """Return the skin of the shaped base mesh."""
    quads = human.faces["body"]
    corners = cast.vertices[quads[:, :, 0]]
    quads = quads[(corners[:, :, 1].min(1) > LOWEST) & (np.abs(corners[:, :, 0]).max(1) < WIDEST)]
    used, cage = compact(quads[:, :, 0])
    used_uvs, cage_uvs = compact(quads[:, :, 1])
    matrix, fine = subdivide(cage, len(used))
    uv_matrix, fine_uvs = subdivide(cage_uvs, len(used_uvs), smooth=False)
    pairs = np.stack([fine.ravel(), fine_uvs.ravel()], 1)
    unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
    matrix = matrix[unique[:, 0]]
    mask_uvs = (uv_matrix @ human.uvs[used_uvs])[unique[:, 1]]
    _, weld = np.unique(unique[:, 0], return_inverse=True)
    in_mouth = (mask_uvs[:, 0] > 0.74) & (mask_uvs[:, 0] < 0.94) & (mask_uvs[:, 1] < 0.145)
    shape = cast.vertices + _seal(cast)[:, None] * cast.face_units["mouthClose"]
    extra = np.zeros((len(unique), 4))
    extra[:, 0] = in_mouth
    skin = draft(
        "skin",
        "skin",
        matrix @ shape[used],
        triangulate(inverse.reshape(-1, 4)),
        uvs=pack_uvs(mask_uvs, in_mouth),
        extra=extra,
        head_weight=matrix @ cast.head_weights[used],
        morphs={name: matrix @ delta[used] for name, delta in cast.face_units.items()},
        two_sided=True,
    )
    skin.find_normals(weld)
    ears = read_mask(human.mask("ears"), mask_uvs) > 0.3
    return Skin(skin, weld, mask_uvs, in_mouth, ears)


def _seal(cast: Cast) -> Doubles:
    """Return the share of `mouthClose` (19158,) that each vertex takes at rest."""
    corner = abs(float(cast.vertices[MOUTH_CORNER[0], 0]))
    sides = smoothstep(0.4, 0.8, np.abs(cast.vertices[:, 0]) / corner)
    return SEAL * (1 + (CORNER_SEAL - 1) * sides)


def pack_uvs(uvs: Doubles, in_mouth: Bools) -> Doubles:
    """Spread the base mesh's head island over most of the texture, the face more than the rest; torso and
    mouth go to its right edge.
    """
    u, v = uvs[:, 0], uvs[:, 1]
    head = (u > 0.635) & (v > 0.145) & (v < 0.86) & ~((u < 0.76) & (v > 0.85)) & ~in_mouth
    packed = np.stack([0.73 + 0.26 * u / 0.76, 0.35 + 0.64 * (v - 0.4) / 0.6], 1)
    down, across = (
        _magnify((u - 0.635) / 0.365, 0.61, 0.22, 1.2),
        _magnify((v - 0.14) / 0.69, 0.497, 0.17, 1.6),
    )
    packed[head] = np.stack([0.005 + 0.71 * down, 0.005 + 0.99 * across], 1)[head]
    packed[in_mouth] = np.stack([0.73 + 0.26 * (u - 0.75) / 0.18, 0.01 + 0.28 * v / 0.145], 1)[in_mouth]
    return packed


def _magnify(t: Doubles, middle: float, half: float, gain: float) -> Doubles:
    """Map [0, 1] to itself so that what lies within `half` of `middle` takes more of it."""

    def integral(x: Doubles) -> Doubles:
        return np.asarray(x + gain * half * np.sqrt(np.pi) / 2 * erf((x - middle) / half))

    low, high = integral(np.array([0.0, 1.0]))
    return np.asarray((integral(t) - low) / (high - low))

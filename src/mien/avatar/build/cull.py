"""Fewer triangles: none that are hidden from everywhere, large ones where skin is still and no face."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mien.avatar.build.draft import Draft
from mien.avatar.build.geometry import Bools, coarsen
from mien.avatar.build.human import Doubles, Indices
from mien.avatar.build.skin import Skin

CULLED = ("skin", "cloth", "hair")
# A ribbon's triangle that shows in fewer pixels, over all views, is not worth drawing: a fine hair; a broad
# lock, which lies under others then; and how many for each dm2 between them.
HAIR_PIXELS, LOCK_PIXELS, PIXELS_PER_AREA = 6, 30, 3000.0
MOVED = 0.004  # dm: what a face unit moves further may come to light
STILL = 0.02  # dm: what moves less, beside and behind the face, is drawn coarsely
FACE_Y, FACE_Z = -1.25, 0.25  # dm: the face lies above and before these


def drop_unseen(drafts: Sequence[Draft], pixels: Sequence[Indices]) -> None:
    """Remove what shows from nowhere; the neighbours of what is seen stay, and so does what moves.

    `pixels`: of each draft's triangles (F,), over many views from all around; see `bake`.
    """
    for part, seen in zip(drafts, pixels, strict=True):
        if part.material == "hair":
            part.keep(part.triangles[seen > _least(part)])
        elif part.material in CULLED:
            vertex = _moves(part) if part.material == "skin" else np.zeros(len(part.positions), bool)
            vertex[part.triangles[seen > 0].ravel()] = True
            part.keep(part.triangles[vertex[part.triangles].any(axis=1)])


def _least(hair: Draft) -> Doubles:
    """Return in how many pixels each triangle (F,) shows at most when it is left out."""
    a, b, c = (hair.positions[hair.triangles[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return np.asarray(np.clip(PIXELS_PER_AREA * area, HAIR_PIXELS, LOCK_PIXELS))


def simplify(skin: Skin) -> None:
    """Draw scalp, ears, nape, neck and shoulders with the base mesh's faces, not subdivided."""
    half = len(skin.draft.triangles) // 2
    quads = np.c_[skin.draft.triangles[:half], skin.draft.triangles[half:, 2:]]
    _, y, z = skin.draft.positions.T
    detailed = ((y > FACE_Y) & (z > FACE_Z) & ~skin.ears) | (_moved(skin.draft) > STILL) | skin.in_mouth
    fine = detailed[quads].any(axis=1).reshape(-1, 4).any(axis=1)
    skin.draft.triangles = coarsen(quads, fine, skin.weld)


def _moved(skin: Draft) -> Doubles:
    """Return how far the face units move each vertex (V,) along an axis at most."""
    moves = np.zeros(len(skin.positions))
    for delta in skin.morphs.values():
        np.maximum(moves, np.abs(delta).max(axis=1), out=moves)
    return moves


def _moves(skin: Draft) -> Bools:
    """Return which vertices a face unit moves, or lie in the mouth: they show in some pose."""
    return np.asarray((_moved(skin) > MOVED) | (skin.extra[:, 0] > 0))

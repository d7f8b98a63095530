"""Triangles and vertices put in an order that compresses well; the mesh stays what it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mien.avatar.files.meshopt_triangles import FIFO
from mien.avatar.model import Ints, Morph, Part

_ROWS = ("positions", "normals", "uvs", "head_weight", "occlusion", "key_light", "color", "extra")


def ordered(part: Part) -> Part:
    """Return the part with neighbouring triangles in a row, and vertices in the order of their first use."""
    triangles = part.triangles[list(_walk(part.triangles))]
    used, first = np.unique(triangles, return_index=True)
    old = used[np.argsort(first)]
    new = np.full(len(part.positions), -1, np.int32)
    new[old] = np.arange(len(old), dtype=np.int32)
    return replace(
        part,
        triangles=new[triangles],
        morphs={name: _moved(morph, new) for name, morph in part.morphs.items()},
        **{name: getattr(part, name)[old] for name in _ROWS},
    )


def _moved(morph: Morph, new: Ints) -> Morph:
    indices = new[morph.indices]
    kept = np.flatnonzero(indices >= 0)
    rows = kept[np.argsort(indices[kept])]
    return Morph(indices[rows], morph.positions[rows], morph.normals[rows])


def _walk(triangles: Ints) -> Iterator[int]:
    """Yield triangles so that each lies beside one of the last few, where any is left there."""
    faces = triangles.tolist()
    beside: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for face, (a, b, c) in enumerate(faces):
        for edge in ((a, b), (b, c), (c, a)):
            beside[edge].append(face)
    waiting, recent = [True] * len(faces), [(0, 0)]
    for start in range(len(faces)):
        face = start if waiting[start] else -1
        while face >= 0:
            waiting[face] = False
            yield face
            a, b, c = faces[face]
            recent = [(b, a), (c, b), (a, c), *recent[: FIFO - 4]]
            face = next((f for edge in recent for f in beside[edge] if waiting[f]), -1)

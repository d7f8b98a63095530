"""Level of detail: what a picture is too coarse to show is left out of the meshes before they are packed.

A vertex that lies on the line between two of its neighbours, in place, light, colour and every morph target,
is pulled into one of them: the surface that is left differs by less than a part of a pixel, and around lips
and eyelids by less than a seventh. Eyes, teeth and tongue stay whole.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Avatar, Floats, Ints, Morph, Part
from mien.avatar.render.rings import Rings

Mask = NDArray[np.bool_]

# By how many pixels a vertex of each material may lie beside the line between its neighbours.
_PIXELS = {"skin": 0.4, "cloth": 0.5, "hair": 0.8, "strand": 0.5}
_CLOSE = 0.15  # pixels, for lips and lids
_PASSES = 3  # each leaves out about a quarter of a mesh that is too fine
_NORMAL = 0.10  # by how much its normal may differ, in all
_LIPS_M, _LIDS = 3e-3, 2.3  # what belongs to the mouth moves so far with it; to an eye: radii from its centre
_TURNED = 0.5  # cosine by which a triangle may turn


def fitted(avatar: Avatar, pixel_m: float) -> Avatar:
    """Return `avatar` for pictures whose pixels are `pixel_m` metres wide at the face; the same input gives
    the same meshes. Skin is seen from outside alone: its back is left out.
    """
    parts = [_reduced(part, allowed(avatar, part) * pixel_m) for part in avatar.parts]
    sides = [part.two_sided and part.material != "skin" for part in parts]
    return replace(
        avatar, parts=tuple(replace(p, two_sided=two) for p, two in zip(parts, sides, strict=True))
    )


def _reduced(part: Part, within_m: Floats) -> Part:
    if part.material not in _PIXELS:
        return part
    for _ in range(_PASSES):
        target = _collapses(part, within_m)
        if (target == np.arange(len(target))).all():
            break
        part, used = _collapsed(part, target)
        within_m = within_m[used]
    return part


def allowed(avatar: Avatar, part: Part) -> Floats:
    """Return (V,) by how many pixels each vertex may lie beside the line between its neighbours."""
    pixels = np.full(len(part.positions), _PIXELS.get(part.material, 0.0), np.float32)
    if part.material != "skin":
        return pixels
    for center in avatar.eye_centers:
        near = ((part.positions - center) ** 2).sum(axis=1) < (_LIDS * avatar.eye_radius) ** 2
        pixels[near] = _CLOSE
    for name, morph in part.morphs.items():
        if name.startswith("mouth"):
            pixels[morph.indices[np.abs(morph.positions).max(axis=1) > _LIPS_M]] = _CLOSE
    return pixels


def _collapses(part: Part, within_m: Floats) -> Ints:
    """Return (V,) the vertex that each is pulled into: most into themselves."""
    rings = Rings(part.triangles, len(part.positions))
    v, u, w = rings.pairs(~rings.seams(part.positions))
    v, u, w, error = _best(part, v, u, w, within_m)
    fits = _alike(part, v, u, w, within_m)
    v, u, error = v[fits], u[fits], error[fits]
    target = rings.apart(v, u, error)
    return _unturned(part, target)


def _best(part: Part, v: Ints, u: Ints, w: Ints, within_m: Floats) -> tuple[Ints, Ints, Ints, Floats]:
    """Return for each vertex the two neighbours that it lies between best, the nearer one first."""
    share = _share(part.positions, v, u, w)
    beside = _beside(part.positions, v, u, w, share) / within_m[v]
    bent = _beside(part.normals, v, u, w, share) / _NORMAL
    error = np.maximum(beside, bent)
    good = np.flatnonzero((np.abs(share - 0.5) < 0.35) & (error < 1.0))
    order = good[np.lexsort((error[good], v[good]))]
    first = order[np.r_[True, v[order[1:]] != v[order[:-1]]]] if len(order) else order
    near = share[first] < 0.5
    return v[first], np.where(near, u[first], w[first]), np.where(near, w[first], u[first]), error[first]


def _share(points: Floats, v: Ints, u: Ints, w: Ints) -> Floats:
    """Return how far `v` is on the way from `u` to `w`."""
    way = points[w] - points[u]
    along = ((points[v] - points[u]) * way).sum(axis=1)
    share: Floats = along / np.maximum((way * way).sum(axis=1), 1e-12)
    return share


def _beside(values: Floats, v: Ints, u: Ints, w: Ints, share: Floats) -> Floats:
    """Return by how much each row of `values` differs from what lies between two others."""
    between = values[u] + (values[w] - values[u]) * share[:, None]
    beside: Floats = np.sqrt(((values[v] - between) ** 2).sum(axis=1))
    return beside


def _alike(part: Part, v: Ints, u: Ints, w: Ints, within_m: Floats) -> Mask:
    """Return which vertices have between their neighbours' light, colour and motion too."""
    share = _share(part.positions, v, u, w)
    seed = part.extra[v, 3] == part.extra[u, 3]
    fits: Mask = np.asarray(seed & (part.extra[v, 3] == part.extra[w, 3]))
    bounds: tuple[tuple[Floats, float], ...] = (
        (part.occlusion, 0.06),
        (part.key_light, 0.08),
        (part.color, 0.03),
        (part.extra[:, :3], 0.15),
        (part.uvs, np.inf if part.material == "strand" else 0.006),
        (part.head_weight[:, None], 0.01),
    )
    for values, bound in bounds:
        fits &= _beside(values, v, u, w, share) < bound
    for morph in part.morphs.values():
        moved = np.zeros((len(part.positions), 3), np.float32)
        moved[morph.indices] = morph.positions
        fits &= _beside(moved, v, u, w, share) < within_m[v]
    return fits


def _unturned(part: Part, target: Ints) -> Ints:
    """Return `target` without what would turn a triangle over."""
    moved = target[part.triangles]
    changed = (moved != part.triangles).any(axis=1)
    before, after = part.triangles[changed], moved[changed]
    old, new = _faces(part.positions, before), _faces(part.positions, after)
    lengths = np.sqrt((old * old).sum(axis=1) * (new * new).sum(axis=1))
    whole = (np.diff(np.sort(after, axis=1), axis=1) != 0).all(axis=1)
    bad = whole & ((old * new).sum(axis=1) <= _TURNED * lengths)
    target = target.copy()
    culprits = before[bad][before[bad] != after[bad]]
    target[culprits] = culprits
    return target


def _faces(points: Floats, triangles: Ints) -> Floats:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a).astype(np.float32)


def _collapsed(part: Part, target: Ints) -> tuple[Part, Ints]:
    """Return `part` with vertices pulled into others, and which are left."""
    triangles = target[part.triangles]
    triangles = triangles[(np.diff(np.sort(triangles, axis=1), axis=1) != 0).all(axis=1)]
    used = np.unique(triangles)
    place = np.full(len(target), -1, np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    columns = ("positions", "normals", "uvs", "head_weight", "occlusion", "key_light", "color", "extra")
    rows: dict[str, Any] = {name: getattr(part, name)[used] for name in columns}
    morphs = {name: _moved(morph, place) for name, morph in part.morphs.items()}
    return replace(part, triangles=place[triangles], morphs=morphs, **rows), used


def _moved(morph: Morph, place: Ints) -> Morph:
    left = place[morph.indices] >= 0
    return Morph(place[morph.indices[left]], morph.positions[left], morph.normals[left])

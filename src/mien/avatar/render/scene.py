"""An avatar packed for the kernels: all parts in one set of arrays that no frame changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mien.avatar import correctives
from mien.avatar.model import MATERIALS, Avatar, Floats, Ints, Part
from mien.avatar.render import layout, lights, streaks, tangents, texture, tone
from mien.errors import CorruptError
from mien.face.pose import ARKIT_NAMES

_LARGEST = 1000.0  # no length in metres, angle or colour of a head is larger; the kernels rely on it


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """`points` (V, 6) positions and normals; `model`: see `layout`.

    `products` (K, 2): the drivers of each corrective, see `correctives.expand`. Morph target `k` (in the
    order of `ARKIT_NAMES`, then of the correctives) moves `morph_index[morph_start[k] :
    morph_start[k + 1]]` by the rows of `morph_delta` (n, 6). `eyes`: range of vertices and side of each
    eyeball part.
    """

    points: Floats
    model: layout.Model
    products: Ints
    morph_start: Ints
    morph_index: Ints
    morph_delta: Floats
    eyes: tuple[tuple[int, int, int], ...]
    eye_centers: Floats
    pivot: Floats


def pack(avatar: Avatar, *, skin_texels: int = 1024) -> Scene:
    """Pack `avatar`; its skin texture is halved until it is no higher than `skin_texels`.

    Raises `CorruptError` when parts do not fit together.
    """
    starts = np.cumsum([0, *(len(part.positions) for part in avatar.parts)])
    check(avatar)
    if sum(len(part.triangles) for part in avatar.parts) >= 1 << layout.ID_BITS:
        raise CorruptError(f"avatar {avatar.name!r} has more than {1 << layout.ID_BITS} triangles")
    pairs = list(zip(avatar.parts, [int(start) for start in starts[:-1]], strict=True))
    skin = texture.pack(avatar, skin_texels)
    points = _rows([np.hstack([part.positions, part.normals]) for part in avatar.parts])
    static = _rows([_static(part, skin.shape) for part in avatar.parts])
    mending = correctives.names_of(avatar)
    morph_start, morph_index, morph_delta = _morphs(pairs, (*ARKIT_NAMES, *mending))
    faces = np.concatenate(list(_faces(pairs)))
    vertices, still = _still(static, morph_index, faces)
    static[vertices, layout.OCCLUSION_OPEN] = static[vertices, layout.OCCLUSION]
    static[vertices, layout.KEY_OPEN] = static[vertices, layout.KEY]
    order = np.argsort(still, kind="stable")  # what moves first
    model = layout.Model(
        faces=np.ascontiguousarray(faces[order]),
        static=static,
        skin=skin,
        hair=streaks.texture(),
        iris=np.array(avatar.iris, np.float32),
        rig=lights.studio(),
        table=tone.table(),
        still=int((~still).sum()),
    )
    return Scene(
        points=points,
        model=model,
        products=correctives.pairs(mending),
        morph_start=morph_start,
        morph_index=morph_index,
        morph_delta=morph_delta,
        eyes=tuple(_eyes(pairs)),
        eye_centers=np.array(avatar.eye_centers, np.float32),
        pivot=np.array(avatar.pivot, np.float32),
    )


def still(scene: Scene) -> Scene:
    """Return a scene of only what never moves."""
    faces = scene.model.faces[scene.model.still :]
    return replace(scene, model=scene.model._replace(faces=np.ascontiguousarray(faces), still=len(faces)))


def _still(static: Floats, moved: Ints, faces: Ints) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which vertices and which triangles no pose moves."""
    vertices = (static[:, layout.HEAD] == 0) & ~np.isin(static[:, layout.KIND], (layout.EYE, layout.EYEBALL))
    vertices[moved] = False
    return vertices, vertices[faces[:, : layout.C + 1]].all(axis=1)


def _rows(parts: list[Floats]) -> Floats:
    return np.ascontiguousarray(np.concatenate(parts), np.float32)


def check(avatar: Avatar) -> None:
    """Raise `CorruptError` when a part is not what `Part` says."""
    for part in avatar.parts:
        _check(part)


def _check(part: Part) -> None:
    count = len(part.positions)
    if part.material not in MATERIALS:
        raise CorruptError(f"part {part.name!r} is of {part.material!r}; valid: {', '.join(MATERIALS)}")
    for name in ("normals", "uvs", "head_weight", "occlusion", "key_light", "color", "extra"):
        if len(getattr(part, name)) != count:
            raise CorruptError(f"part {part.name!r}: {len(getattr(part, name))} {name}, {count} positions")
    if part.triangles.size and not 0 <= part.triangles.min() <= part.triangles.max() < count:
        raise CorruptError(f"part {part.name!r}: a triangle names a vertex outside 0 to {count - 1}")
    _sane(part.positions, f"part {part.name!r}, positions")
    _sane(part.normals, f"part {part.name!r}, normals")
    for name in ("uvs", "head_weight", "occlusion", "key_light", "color", "extra"):
        _sane(getattr(part, name), f"part {part.name!r}, {name}")
    for name, morph in part.morphs.items():
        _sane(morph.positions, f"part {part.name!r}, morph {name!r}")
        _sane(morph.normals, f"part {part.name!r}, morph {name!r}")
        if not len(morph.indices) == len(morph.positions) == len(morph.normals):
            raise CorruptError(f"part {part.name!r}, morph {name!r}: lengths of its arrays differ")
        if morph.indices.size and not 0 <= morph.indices.min() <= morph.indices.max() < count:
            raise CorruptError(f"part {part.name!r}, morph {name!r}: an index is outside 0 to {count - 1}")


def _sane(values: Floats, what: str) -> None:
    if not (np.abs(values) <= _LARGEST).all():
        raise CorruptError(f"{what}: holds a number that is not within {_LARGEST:g} of zero")


def _static(part: Part, skin: tuple[int, ...]) -> Floats:
    rows = np.zeros((len(part.positions), layout.STATIC_COLUMNS), np.float32)
    rows[:, layout.U : layout.V + 1] = _texels(part, skin)
    rows[:, layout.OCCLUSION : layout.OCCLUSION_OPEN + 1] = part.occlusion
    rows[:, layout.KEY : layout.KEY_OPEN + 1] = part.key_light
    rows[:, layout.HEAD] = part.head_weight
    rows[:, layout.RED : layout.BLUE + 1] = part.color
    rows[:, layout.X : layout.W + 1] = part.extra
    if part.material == "skin":
        along = tangents.along(part)
        rows[:, layout.TANGENT : layout.TANGENT + 3], rows[:, layout.HAND] = along[:, :3], along[:, 3]
    rows[:, layout.KIND] = MATERIALS.index(part.material)
    return rows


def _texels(part: Part, skin: tuple[int, ...]) -> Floats:
    """Return texture coordinates in texels: of the skin, or of a lock of hair chosen by its seed."""
    u, v = part.uvs[:, 0], part.uvs[:, 1]
    if part.material == "hair":
        texels = streaks.places(part) * (streaks.VARIANTS * streaks.WIDTH, streaks.LENGTH) - 0.5
    else:
        texels = np.stack([u * skin[1] - 0.5, (1 - v) * skin[0] - 0.5], axis=1)
    return texels.astype(np.float32)


def _faces(pairs: list[tuple[Part, int]]) -> Iterator[Ints]:
    group = 0
    for part, offset in pairs:
        rows = np.zeros((len(part.triangles), 6), np.int32)
        rows[:, : layout.C + 1] = part.triangles + offset
        rows[:, layout.MATERIAL] = MATERIALS.index(part.material)
        rows[:, layout.TWO_SIDED] = part.two_sided
        rows[:, layout.GROUP] = group
        if part.material == "hair" and len(rows):
            seeds = part.extra[part.triangles[:, 0], 3].round(6)
            rows[:, layout.GROUP] += np.unique(seeds, return_inverse=True)[1].astype(np.int32)
        group = int(rows[:, layout.GROUP].max(initial=group)) + 1
        yield rows


def _eyes(pairs: list[tuple[Part, int]]) -> Iterator[tuple[int, int, int]]:
    for part, offset in pairs:
        if part.material in ("eye", "eyeball") and len(part.positions):
            yield offset, offset + len(part.positions), int(part.extra[0, 3] > 0.5)


def _morphs(pairs: list[tuple[Part, int]], names: Sequence[str]) -> tuple[Ints, Ints, Floats]:
    indices, deltas, start = [np.zeros(0, np.int32)], [np.zeros((0, 6), np.float32)], [0]
    for name in names:
        moved = [(part.morphs[name], offset) for part, offset in pairs if name in part.morphs]
        indices += [morph.indices + offset for morph, offset in moved]
        deltas += [np.hstack([morph.positions, morph.normals]) for morph, _ in moved]
        start.append(start[-1] + sum(len(morph.indices) for morph, _ in moved))
    index = np.concatenate(indices).astype(np.int32)
    return np.array(start, np.int32), index, np.ascontiguousarray(np.concatenate(deltas), np.float32)

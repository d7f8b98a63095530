from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mien.avatar.model import MATERIALS, Avatar, Morph
from mien.avatar.render import layout, scene
from mien.errors import CorruptError
from mien.face.pose import ARKIT_INDEX


def test_every_part_keeps_its_vertices_and_triangles(toy: Avatar) -> None:
    packed = scene.pack(toy)
    start = 0
    for part in toy.parts:
        end = start + len(part.positions)
        assert (packed.points[start:end, :3] == part.positions).all()
        assert (packed.model.static[start:end, layout.KIND] == MATERIALS.index(part.material)).all()
        start = end
    assert len(packed.model.faces) == sum(len(part.triangles) for part in toy.parts)
    assert packed.model.faces[:, : layout.C + 1].max() == start - 1


def test_groups_tell_parts_and_locks_of_hair_apart(toy: Avatar) -> None:
    packed = scene.pack(toy)
    groups = [
        set(packed.model.faces[packed.model.faces[:, layout.MATERIAL] == kind, layout.GROUP])
        for kind in range(7)
    ]
    assert len(groups[layout.HAIR]) == 14
    assert sum(len(group) for group in groups) == len(set.union(*groups))


def test_morphs_point_at_the_vertices_of_their_part(toy: Avatar) -> None:
    packed = scene.pack(toy)
    k = ARKIT_INDEX["jawOpen"]
    rows = slice(packed.morph_start[k], packed.morph_start[k + 1])
    lip = toy.part("lower lip")
    assert (packed.points[packed.morph_index[rows], :3] == lip.positions).all()
    assert np.allclose(packed.morph_delta[rows, 1], -0.02)


def test_the_skin_is_halved_to_the_size_wanted(toy: Avatar) -> None:
    assert scene.pack(toy, skin_texels=8).model.skin.shape == (8, 8, 6)
    assert scene.pack(toy).model.skin.shape == (16, 16, 6)


def test_nothing_is_shared_with_the_avatar(toy: Avatar) -> None:
    packed = scene.pack(toy)
    assert not np.shares_memory(packed.points, toy.parts[0].positions)
    assert packed.points.flags.writeable


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"material": "glass"}, "valid: skin"),
        ({"normals": np.zeros((1, 3), np.float32)}, "1 normals"),
        ({"uvs": np.full((512, 2), np.nan, np.float32)}, "uvs: holds a number"),
        ({"triangles": np.array([[0, 1, -1]], np.int32)}, "outside 0 to"),
        (
            {"morphs": {"jawOpen": Morph(np.array([99999], np.int32), *[np.zeros((1, 3), np.float32)] * 2)}},
            "index",
        ),
        (
            {"morphs": {"jawOpen": Morph(np.array([0, 1], np.int32), *[np.zeros((1, 3), np.float32)] * 2)}},
            "lengths",
        ),
    ],
)
def test_parts_that_do_not_fit_are_refused(toy: Avatar, change: dict[str, object], message: str) -> None:
    with pytest.raises(CorruptError, match=message):
        scene.pack(replace(toy, parts=(replace(toy.parts[0], **change),)))  # type: ignore[arg-type]

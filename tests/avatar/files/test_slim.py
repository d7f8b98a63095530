"""What small files leave out, and how far what they keep is from what it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mien.avatar.files import slim
from mien.avatar.model import Avatar, Morph, Part

COUNT, POINTS = 120, 3


@pytest.fixture
def strands(tiny: Avatar) -> Part:
    """Strands of three pairs of vertices, 0.1 mm wide at their ends, rooted anywhere in a decimetre."""
    random = np.random.default_rng(4)
    roots = np.repeat(random.uniform(0, 0.1, (COUNT, 3)), 2 * POINTS, axis=0)
    along = np.tile(np.repeat([0.0, 0.5, 1.0], 2), COUNT)
    side = np.tile([-1.0, 1.0], COUNT * POINTS)
    places = roots + np.c_[side * np.where(along == 1, 5e-5, 4e-4), -0.01 * along, 0 * along]
    one = np.array([[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]])
    count = len(places)
    hidden = {name: np.zeros((count, 2), np.float32) for name in ("occlusion", "key_light")}
    moves = np.repeat(random.normal(0, 4e-4, (COUNT, 3)), 2 * POINTS, axis=0).astype(np.float32)
    return replace(
        tiny.part("strand"),
        positions=places.astype(np.float32),
        normals=np.tile(np.float32([0, 0, 1]), (count, 1)),
        uvs=np.c_[side / 2 + 0.5, along].astype(np.float32),
        triangles=(one[None] + 6 * np.arange(COUNT)[:, None, None]).reshape(-1, 3).astype(np.int32),
        head_weight=np.ones(count, np.float32),
        color=np.zeros((count, 3), np.float32),
        extra=np.zeros((count, 4), np.float32),
        morphs={"jawOpen": Morph(np.arange(count, dtype=np.int32), moves, np.zeros_like(moves))},
        **hidden,
    )


def test_a_strand_ends_in_one_vertex_and_stays_where_it_was(strands):
    thin = slim.slim(strands)
    assert len(thin.triangles) == 3 * COUNT
    assert len(np.unique(thin.triangles)) == 5 * COUNT
    assert np.array_equal(thin.positions, strands.positions)


def test_a_broad_end_stays(strands):
    wide = replace(strands, positions=strands.positions * np.float32(10))
    assert len(slim.slim(wide).triangles) == 4 * COUNT


def test_strands_move_as_those_before_them_where_that_can_not_be_seen(strands):
    thin = slim.slim(strands)
    before, after = (moves_of(part)[np.unique(thin.triangles)] for part in (strands, thin))
    assert np.abs(before - after).max() <= slim.HELD + 1e-9
    assert 0.02 < (before != after).mean() < 0.9
    assert len(np.unique(after, axis=0)) < len(np.unique(before, axis=0))


def moves_of(part: Part) -> np.ndarray:
    moves, morph = np.zeros_like(part.positions), part.morphs["jawOpen"]
    moves[morph.indices] = morph.positions
    return moves


def test_neighbours_follow_each_other(strands):
    def walk(part: Part) -> float:
        roots = part.positions[part.triangles[:, 0]]
        return float(np.linalg.norm(np.diff(roots, axis=0), axis=1).sum())

    assert walk(slim.slim(strands)) < 0.5 * walk(strands)


def test_a_chain_visits_every_point_once_and_pieces_are_told_apart(strands):
    points = np.random.default_rng(2).random((40, 3))
    assert sorted(slim.chain(points)) == list(range(40))
    assert len(slim.chain(points[:0])) == 0
    piece = slim.pieces(strands.triangles, len(strands.positions))
    assert np.array_equal(piece, np.arange(len(piece)) // 6 * 6)
    one = slim.pieces(np.array([[3, 2, 4], [0, 1, 2]], np.int32), 6)
    assert one.tolist() == [0, 0, 0, 0, 0, 5]


def test_skin_keeps_its_vertices_and_triangles(tiny):
    skin = tiny.part("skin")
    assert np.array_equal(slim.slim(skin).triangles, skin.triangles)

from __future__ import annotations

import numpy as np
import pytest

from mien.avatar.model import Avatar
from mien.avatar.render import Camera, layout
from mien.avatar.render.kernels import geometry
from mien.avatar.render.posture import rotation
from mien.avatar.render.scene import pack
from mien.face.pose import ARKIT_INDEX, weights


def test_morph_adds_the_active_targets_and_no_others(toy: Avatar) -> None:
    scene = pack(toy)
    amounts = weights({"jawOpen": 0.5, "eyeBlinkLeft": 0.25, "eyeBlinkRight": 9.0})
    active = np.array([ARKIT_INDEX["jawOpen"], ARKIT_INDEX["eyeBlinkLeft"]], np.int32)
    out = np.full_like(scene.points, np.nan)
    geometry.morph(
        scene.points, out, scene.morph_start, scene.morph_index, scene.morph_delta, active, amounts
    )
    expected = scene.points.copy()
    for k in active:
        rows = slice(scene.morph_start[k], scene.morph_start[k + 1])
        np.add.at(expected, scene.morph_index[rows], amounts[k] * scene.morph_delta[rows])
    assert np.allclose(out, expected, atol=1e-7)


def test_an_eyeball_rolls_about_its_centre_with_its_normals_and_nothing_else_does() -> None:
    points = np.random.default_rng(0).normal(size=(9, 6)).astype(np.float32)
    turn, center = rotation(0.4, -0.2, 0.1), np.array([0.03, 0.01, 0.09], np.float32)
    expected = points.copy()
    expected[2:7, :3] = (points[2:7, :3] - center) @ turn.T + center
    expected[2:7, 3:] = points[2:7, 3:] @ turn.T
    geometry.roll(points, 2, 7, turn, center)
    assert np.allclose(points, expected, atol=1e-6)


def test_project_turns_the_head_about_its_pivot_and_looks_through_the_camera(toy: Avatar) -> None:
    scene, turn = pack(toy), rotation(0.3, -0.1, 0.2)
    camera = Camera((0.05, 0.1, 1.0), (0, 0, 0), 0.4).matrix((64, 64))
    head = np.vstack([turn, scene.pivot]).astype(np.float32)
    clip = np.zeros((len(scene.points), 3), np.float32)
    geometry.project(scene.points, scene.model.static, head, camera, clip)
    points, weight = scene.points[:, :3], scene.model.static[:, layout.HEAD, None]
    world = points + ((points - scene.pivot) @ turn.T + scene.pivot - points) * weight
    right, up, away = ((world - camera[3]) @ camera[:3].T).T
    assert np.allclose(clip[:, 0], 64 + right / away * camera[4, 0], atol=1e-2)
    assert np.allclose(clip[:, 1], 64 - up / away * camera[4, 0], atol=1e-2)
    assert (np.argsort(clip[:, 2]) == np.argsort(away)).mean() > 0.9
    assert (clip[:, 2] >= 0).all()


def test_what_is_behind_the_camera_is_marked_and_left_out(toy: Avatar) -> None:
    scene = pack(toy)
    camera = Camera((0, 0, -0.5), (0, 0, -1), 0.4).matrix((64, 64))
    head = np.vstack([np.eye(3), scene.pivot]).astype(np.float32)
    clip = np.zeros((len(scene.points), 3), np.float32)
    geometry.project(scene.points, scene.model.static, head, camera, clip)
    assert (clip[:, 2] == -1).all()
    lists = empty(len(scene.model.faces))
    assert geometry.sort(scene.model.faces, clip, 64, 128, scene.model.still, lists) == 0
    assert (lists.starts == 0).all()


def empty(triangles: int, tiles: int = 4, room: int = 8) -> layout.Lists:
    """Return lists of `tiles` tiles with room for so many entries."""
    return layout.Lists(
        starts=np.zeros(tiles + 1, np.int32),
        moving=np.zeros(tiles, np.int32),
        items=np.full(room, -1, np.int32),
        boxes=np.zeros((triangles, 4), np.int16),
        near=np.zeros(triangles, np.float32),
        order=np.zeros(triangles, np.int32),
        buckets=np.zeros(layout.BUCKETS + 1, np.int32),
    )


BIG = np.array([[5, 3, 0.5], [3, 120, 0.5], [90, 60, 0.5]], np.float32)  # counter-clockwise: seen
TALL = 64, 128  # four tiles, one above the other


@pytest.mark.parametrize("two_sided", [0, 1])
def test_sort_lists_a_triangle_in_each_tile_it_touches(two_sided: int) -> None:
    seen, away = (np.array([[*t, 0, 0, two_sided]], np.int32) for t in ((0, 1, 2), (0, 2, 1)))
    for faces, wanted in ((seen, 4), (away, 4 * two_sided)):
        lists = empty(1)
        assert geometry.sort(faces, BIG, *TALL, 1, lists) == wanted
        assert np.diff(lists.starts).tolist() == lists.moving.tolist() == [wanted // 4] * 4
        assert lists.items[:wanted].tolist() == [0] * wanted


def test_each_tile_lists_triangles_in_their_order_and_what_never_moves_is_not_counted_as_moving() -> None:
    lists = empty(3, room=12)
    geometry.sort(np.array([[0, 1, 2, 0, 0, 1]] * 3, np.int32), BIG, *TALL, 2, lists)
    assert lists.items.reshape(4, 3).tolist() == [[0, 1, 2]] * 4
    assert lists.moving.tolist() == [2] * 4


def test_each_tile_lists_what_is_nearer_first() -> None:
    clip = np.concatenate([BIG + np.array([0, 0, depth]) for depth in (0.3, 0.0, 0.2)]).astype(np.float32)
    faces, lists = np.array([[i, i + 1, i + 2, 0, 0, 1] for i in (0, 3, 6)], np.int32), empty(3, room=12)
    geometry.sort(faces, clip, *TALL, 3, lists)
    assert lists.items.reshape(4, 3).tolist() == [[1, 2, 0]] * 4
    assert lists.near.tolist() == pytest.approx([0.8, 0.5, 0.7])


def test_when_there_is_no_room_sort_says_how_much_it_needs() -> None:
    lists = empty(3)
    assert geometry.sort(np.array([[0, 1, 2, 0, 0, 1]] * 3, np.int32), BIG, *TALL, 3, lists) == 12
    assert (lists.items == -1).all()

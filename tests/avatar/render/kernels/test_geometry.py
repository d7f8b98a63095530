from __future__ import annotations

import numpy as np
import pytest

from mien.avatar.model import Avatar
from mien.avatar.render import Camera, layout
from mien.avatar.render.canvas import rotation
from mien.avatar.render.kernels import geometry
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
    geometry.sort(scene.model.faces, clip, 128, 128, 32, scene.model.still, lists)
    assert (lists.counts == 0).all()


def empty(triangles: int) -> layout.Lists:
    """Return lists of four bands."""
    return layout.Lists(
        np.zeros((4, 2), np.int32), np.zeros((4, triangles), np.int32), np.zeros((4, 2), np.int32)
    )


@pytest.mark.parametrize("two_sided", [0, 1])
def test_sort_lists_a_triangle_in_each_band_it_touches(two_sided: int) -> None:
    clip = np.array([[5, 3, 0.5], [3, 20, 0.5], [30, 25, 0.5]], np.float32)  # counter-clockwise: seen
    away = np.array([[0, 2, 1, 0, 0, two_sided]], np.int32)
    seen = np.array([[0, 1, 2, 0, 0, two_sided]], np.int32)
    for faces, wanted in ((seen, [1, 1, 1, 1]), (away, [two_sided] * 4)):
        lists = empty(1)
        geometry.sort(faces, clip, 32, 32, 8, 1, lists)
        assert lists.counts.tolist() == [[n, n] for n in wanted]


def test_what_never_moves_is_listed_but_widens_no_span() -> None:
    clip = np.array([[5, 3, 0.5], [3, 20, 0.5], [30, 25, 0.5]], np.float32)
    lists = empty(1)
    geometry.sort(np.array([[0, 2, 1, 0, 0, 1]], np.int32), clip, 32, 32, 8, 0, lists)
    assert lists.counts.tolist() == [[1, 0]] * 4
    assert (lists.span[:, 0] > lists.span[:, 1]).all()

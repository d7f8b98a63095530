"""Lips that touch: looked at from the front, no part of the mouth's inside shows between them."""

import numpy as np
import pytest

from mien.avatar.build.depthmap import rasterise
from mien.avatar.build.skin import Skin
from mien.face.pose import ARKIT_NAMES

PIXEL = 0.002  # dm
LEFT, TOP, WIDTH, HEIGHT = -0.35, -0.35, 350, 320


def gap(skin: Skin, **pose: float) -> np.ndarray:
    """Return which pixels (HEIGHT, WIDTH) in front of the mouth show its inside."""
    x, y, z = skin.draft.posed(**pose).T
    pixels = np.stack([(x - LEFT) / PIXEL, (TOP - y) / PIXEL, -z], 1)
    _, owner = rasterise(pixels, skin.draft.triangles, HEIGHT, WIDTH)
    inside = skin.in_mouth[skin.draft.triangles].any(axis=1)
    return (owner >= 0) & inside[owner]


def pair(**pose: float) -> dict[str, float]:
    return {f"{name}{side}": weight for name, weight in pose.items() for side in ("Left", "Right")}


@pytest.mark.parametrize(
    "pose",
    [
        {},
        *({"jawOpen": j, "mouthClose": j} for j in (0.1, 0.2, 0.3, 0.4, 0.5)),
        pair(mouthPress=0.35) | {"mouthRollLower": 0.2, "mouthRollUpper": 0.15},
        pair(mouthPress=1),
        {"mouthRollLower": 1, "mouthRollUpper": 1},
        {"mouthPucker": 1},
        pair(mouthSmile=1),
    ],
)
def test_closed_lips_touch(skin, pose):
    shown = gap(skin, **pose)
    middle = shown[:, WIDTH // 2 - 75 : WIDTH // 2 + 75]
    assert not middle.any()
    assert shown.sum() * PIXEL**2 < 0.0008  # dm², 8 mm² at most, in the corners


def test_an_open_jaw_shows_the_mouth(skin):
    assert gap(skin, jawOpen=0.3).sum() * PIXEL**2 > 0.01


def test_pucker_is_strong(skin):
    still, puckered = (skin.draft.posed(mouthPucker=w) for w in (0, 1))
    lips = ~skin.in_mouth & (np.abs(still[:, 1] + 0.62) < 0.25) & (still[:, 2] > 0.85)
    moved = np.linalg.norm((puckered - still)[lips], axis=1)
    assert moved.max() > 0.12


def test_every_face_unit_moves_the_head(skin):
    moving = {name for name, delta in skin.draft.morphs.items() if np.abs(delta).max() > 1e-3}
    assert set(ARKIT_NAMES) - moving == {"tongueOut"}


@pytest.mark.parametrize("name", ["mouthSmile", "eyeBlink", "browDown", "cheekSquint"])
def test_left_and_right_mirror_each_other(skin, name):
    left, right = (np.abs(skin.draft.morphs[f"{name}{side}"]).sum() for side in ("Left", "Right"))
    assert left == pytest.approx(right, rel=0.05)
    for side, sign in (("Left", 1), ("Right", -1)):
        moved = np.abs(skin.draft.morphs[f"{name}{side}"]).sum(1)
        assert (moved * skin.draft.positions[:, 0]).sum() * sign > 0


def test_seams_are_welded(skin):
    assert skin.weld.max() + 1 < len(skin.weld)
    points, normals, _, _ = skin.welded()
    assert np.allclose(points[skin.weld], skin.draft.positions)
    assert np.allclose(normals[skin.weld], skin.draft.normals)
    assert ((skin.draft.uvs >= 0) & (skin.draft.uvs <= 1)).all()

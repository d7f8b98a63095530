from __future__ import annotations

import numpy as np
import pytest

from mien.avatar.model import Avatar
from mien.avatar.render import Camera
from mien.errors import InputError


def seen(camera: Camera, point: tuple[float, float, float], size: tuple[int, int]) -> tuple[float, float]:
    right, up, forward, eye, lens = camera.matrix(size, samples=1).astype(float)
    away = np.array(point) - eye
    scale = lens[0] / (forward @ away)
    return float(lens[1] + right @ away * scale), float(lens[2] - up @ away * scale)


def test_the_target_is_in_the_middle() -> None:
    camera = Camera((0.1, 0.2, 1.0), (0, -0.1, 0), 0.4)
    assert seen(camera, (0, -0.1, 0), (200, 100)) == pytest.approx((100, 50), abs=1e-3)


def test_the_characters_left_is_on_the_right_and_up_is_up() -> None:
    camera = Camera((0, 0, 1), (0, 0, 0), 0.4)
    assert seen(camera, (0.1, 0.1, 0), (200, 100)) == pytest.approx((125, 25), abs=1e-3)


@pytest.mark.parametrize("size", [(512, 512), (1280, 720), (720, 1280)])
def test_a_portrait_holds_the_head(toy: Avatar, size: tuple[int, int]) -> None:
    camera = Camera.portrait(toy, size)
    for point in ((-0.1, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, -0.1, 0)):
        x, y = seen(camera, point, size)
        assert 0 < x < size[0]
        assert 0 < y < size[1]


def test_zoom_comes_closer(toy: Avatar) -> None:
    near, far = (Camera.portrait(toy, (64, 64), zoom=zoom) for zoom in (2.0, 1.0))
    assert near.height == pytest.approx(far.height / 2)


@pytest.mark.parametrize("zoom", [0.0, 11.0, float("nan")])
def test_a_zoom_that_shows_nothing_is_refused(toy: Avatar, zoom: float) -> None:
    with pytest.raises(InputError, match="zoom"):
        Camera.portrait(toy, (64, 64), zoom=zoom)


@pytest.mark.parametrize(
    ("target", "height"), [((0, 0, 1), 0.4), ((0, 0, 0), 0.0), ((0, 0, 0), float("nan"))]
)
def test_a_blind_camera_is_refused(target: tuple[float, float, float], height: float) -> None:
    with pytest.raises(InputError, match="sees nothing"):
        Camera((0, 0, 1), target, height)

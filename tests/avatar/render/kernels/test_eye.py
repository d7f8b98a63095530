from __future__ import annotations

import numpy as np
import pytest

from mien.avatar.render import lights
from mien.avatar.render.kernels.eye import eye

VIEW = np.array([[0, 0, 1], [0, 1, 0]], np.float32)
IRIS = np.array([[0.05, 0.1, 0.2], [0.1, 0.2, 0.4]], np.float32)


def look(x: float, y: float, *, openness: float = 1.0, lid: float = 0.62) -> np.ndarray:
    point = np.array([x, y, np.sqrt(1 - x * x - y * y)], np.float32)
    at, one = tuple(point), np.float32(1)
    numbers = (at, at, np.float32(openness), one, np.float32(lid))
    return np.array(eye(*numbers, np.eye(3, dtype=np.float32), VIEW, IRIS, lights.studio()))


def ring(radius: float) -> np.ndarray:
    """The mean of four points below the mirrored lights, away from where the cornea gathers light."""
    angles = np.radians([180.0, 200.0, 340.0, 360.0])
    return np.mean([look(radius * np.cos(a), radius * np.sin(a)) for a in angles], axis=0)


def test_pupil_iris_and_white_from_the_middle_outwards() -> None:
    pupil, iris, white = look(0.02, -0.05), ring(0.28), ring(0.56)
    assert pupil.sum() < iris.sum() < white.sum()
    assert iris[2] > iris[0]  # blue


def test_the_white_darkens_towards_its_corners() -> None:
    assert look(0.56, 0.0).sum() > look(0.7, 0.0).sum() > look(0.9, 0.0).sum()


def test_the_key_light_glints_on_the_upper_left_of_the_cornea() -> None:
    assert look(-0.22, 0.26).min() > 0.8
    assert look(0.22, -0.26).min() < 0.4


def test_the_upper_lid_throws_a_shadow() -> None:
    assert look(0.6, 0.3, lid=0.2).sum() < look(0.6, 0.3, lid=0.9).sum()


@pytest.mark.parametrize("openness", [0.0, 0.5, 1.0])
def test_light_is_finite(openness: float) -> None:
    for x, y in ((0.0, 0.0), (0.999, 0.0), (0.0, -0.999)):
        assert np.isfinite(look(x, y, openness=openness)).all()

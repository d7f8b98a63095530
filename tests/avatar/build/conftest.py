"""Real heads, from the real pack; a head is built at most once for each state of the code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mien import packs
from mien.avatar import Avatar, load
from mien.avatar.build.assemble import make_cast
from mien.avatar.build.canvas import Canvas
from mien.avatar.build.draft import Cast
from mien.avatar.build.human import Human, read_human
from mien.avatar.build.landmarks import Landmarks
from mien.avatar.build.noise import cells, fractal_noise, value_noise
from mien.avatar.build.person import read_person
from mien.avatar.build.skin import Skin, make_skin


@pytest.fixture(scope="session")
def human() -> Human:
    return read_human(packs.path("human"))


@pytest.fixture(scope="session", params=["ava", "joe"])
def cast(human: Human, request: pytest.FixtureRequest) -> Cast:
    return make_cast(human, read_person(request.param))


@pytest.fixture(scope="session")
def skin(human: Human, cast: Cast) -> Skin:
    return make_skin(human, cast)


@pytest.fixture(scope="session", params=["ava", "joe"])
def avatar(request: pytest.FixtureRequest) -> Avatar:
    return load(request.param)


PLATE = 160  # texels a side of the flat face below


@pytest.fixture(scope="session")
def plate() -> Canvas:
    """A flat face, some 10 texels a centimetre, with lips and all features in their places."""
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, PLATE), np.linspace(0.8, -1.2, PLATE))
    points = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], 1)
    lips = np.clip(1.2 - np.hypot(points[:, 0] / 0.22, (points[:, 1] + 0.68) / 0.07), 0, 1)
    spots = (
        (0.3, 0),
        (0.45, 0.0),
        (0.19, -0.02),
        (0.16, -0.42),
        (0, -0.39),
        (0, -0.56),
        (0.25, -0.69),
        (0, -1.0),
    )
    none, face = np.zeros(len(points)), Landmarks(*(np.array(spot) for spot in spots))
    return Canvas(
        points=points,
        lips=lips,
        lids=none,
        openness=np.ones(len(points)),
        in_mouth=none,
        scalp=none - 1,
        coarse=fractal_noise(points * 3),
        mottling=fractal_noise(points * 11 + 7.3),
        fine=fractal_noise(points * 26),
        finest=value_noise(points * 90),
        pores=np.clip((cells(points * 85)[0] - 0.12) / 0.4, 0, 1),
        lash_line=np.minimum(np.abs(points[:, 1]), 0.1),
        face=face,
        eye=np.array([0.3, 0, 1]),
        mouth_y=-0.68,
        nose_z=1.0,
    )


@pytest.fixture(scope="session")
def spread() -> Callable[..., np.ndarray]:
    """Return what shows the values of a plate around a place (x, y), 7 mm to each side."""

    def shown(values: np.ndarray, place: tuple[float, float]) -> np.ndarray:
        column, row = (place[0] + 0.8) / 1.6 * (PLATE - 1), (0.8 - place[1]) / 2.0 * (PLATE - 1)
        square = values.reshape(PLATE, PLATE, *values.shape[1:])
        left, top = max(round(column) - 7, 0), max(round(row) - 6, 0)
        return square[top : round(row) + 6, left : round(column) + 7]

    return shown

import numpy as np
import pytest

from mien.measure.features import read_face, steady_shape
from mien.vision import FaceTracker, Landmarks

from .photograph import SIZE, talking


def look(aperture: float) -> Landmarks:
    found = FaceTracker()(talking(aperture))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def closed() -> Landmarks:
    return look(0.0)


def test_the_mouth_opens_in_order(closed: Landmarks) -> None:
    faces = [read_face(face, 0.3) for face in (closed, look(0.12), look(0.24), look(0.4))]
    for name in ("aperture", "outer", "jaw"):
        values = [getattr(face, name) for face in faces]
        assert values == sorted(values)
        assert values[-1] > values[0] + 0.02
    assert faces[0].aperture / faces[0].width < 0.08


def test_size_and_place_do_not_matter(closed: Landmarks) -> None:
    points = closed.points * 3 + np.array([50, -20, 0], np.float32)
    near, far = read_face(Landmarks(points, 1.0), 0.3), read_face(closed, 0.3)
    for name in ("aperture", "outer", "width", "jaw", "eyes", "yaw", "pitch", "roll"):
        assert getattr(near, name) == pytest.approx(getattr(far, name), abs=1e-4)
    assert near.scale == pytest.approx(3 * far.scale, rel=1e-4)


def test_a_turned_head_keeps_its_mouth(closed: Landmarks) -> None:
    centre = closed.points.mean(axis=0)
    cos, sin = np.cos(0.4), np.sin(0.4)
    yaw = np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])
    turned = Landmarks(((closed.points - centre) @ yaw.T + centre).astype(np.float32), 1.0)
    straight, aside = read_face(closed, 0.3), read_face(turned, 0.3)
    assert aside.aperture == pytest.approx(straight.aperture, abs=1e-3)
    assert aside.width == pytest.approx(straight.width, abs=1e-3)
    assert abs(aside.yaw - straight.yaw) == pytest.approx(0.4, abs=0.01)


def test_the_steady_shape_forgets_place_size_and_roll(closed: Landmarks) -> None:
    cos, sin = np.cos(0.3), np.sin(0.3)
    roll = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    moved = ((closed.points * 1.7) @ roll.T + SIZE).astype(np.float32)
    np.testing.assert_allclose(steady_shape(closed), steady_shape(Landmarks(moved, 1.0)), atol=1e-4)

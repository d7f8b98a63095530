import numpy as np
import pytest

from mien.avatar.build.geometry import unit
from mien.avatar.build.surface import Surface


@pytest.fixture(scope="module")
def ball() -> Surface:
    """A sphere of radius 2."""
    points = unit(np.random.default_rng(0).normal(size=(6000, 3)))
    return Surface.of(2 * points, points)


def test_distance_is_signed(ball):
    distance, normals = ball.distance(np.array([[0, 0, 2.5], [0, 1.75, 0]]))
    assert np.allclose(distance, [0.5, -0.25], atol=0.02)
    assert np.allclose(normals, [[0, 0, 1], [0, 1, 0]], atol=0.1)


def test_settle_brings_points_to_their_offsets(ball):
    points = ball.settle(np.array([[0.3, 0, 2.5], [1.0, 1.0, 0.5]]), np.array([0.1, 0.3]))
    assert np.allclose(np.linalg.norm(points, axis=1), [2.1, 2.3], atol=0.02)


def test_project_moves_along_z_alone(ball):
    start = np.array([[0.5, 0.2, 4.0], [-1.0, 0.3, 3.0]])
    points = ball.project(start)
    assert np.array_equal(points[:, :2], start[:, :2])
    assert np.allclose(np.linalg.norm(points, axis=1), 2, atol=0.03)


def test_gather_takes_the_neighbours_values(ball):
    at = np.array([[0, 0, 2.0], [2.0, 0, 0]])
    assert np.allclose(ball.gather(at, ball.points[:, 2]), [2, 0], atol=0.1)

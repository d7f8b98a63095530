import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mien.vision import FaceDetector, FaceLandmarks, Landmarks, Region

Picture = NDArray[np.uint8]
# Read off the photograph by eye: point of the mesh, x, y.
SEEN = ((1, 222, 125), (61, 200, 139), (291, 247, 141), (152, 221, 174), (13, 223, 142), (14, 223, 149))


def find(picture: Picture) -> Landmarks:
    points = FaceLandmarks()
    first = points(picture, FaceDetector()(picture)[0].region)
    return points(picture, first.region)


def test_points_lie_where_they_are_in_the_photograph(astronaut: Picture) -> None:
    found = find(astronaut)
    assert found.points.shape == (468, 3)
    assert found.score > 0.95
    for point, x, y in SEEN:
        np.testing.assert_allclose(found.points[point, :2], (x, y), atol=4)


def test_a_turned_photograph_has_turned_points(astronaut: Picture) -> None:
    upright = find(astronaut).points[:, :2]
    turned = np.asarray(Image.fromarray(astronaut).rotate(-20, Image.Resampling.BICUBIC, center=(256, 256)))
    angle = np.radians(20)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    expected = (upright - 256) @ turn.T + 256
    assert np.abs(find(turned).points[:, :2] - expected).mean() < 2.0


def test_a_place_without_a_face_scores_low(astronaut: Picture) -> None:
    assert FaceLandmarks()(astronaut, Region(430, 60, 100, 0.0)).score < 0.5

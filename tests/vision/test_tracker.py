import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mien.vision import FaceTracker

Picture = NDArray[np.uint8]


def test_a_still_face_has_still_points(astronaut: Picture) -> None:
    track = FaceTracker()
    seen = [track(astronaut) for _ in range(12)]
    points = np.stack([face.points[:, :2] for face in seen[6:] if face])
    assert len(points) == 6
    assert np.ptp(points, axis=0).max() < 0.5


def test_a_moving_face_is_followed_without_lag(astronaut: Picture) -> None:
    track, tips = FaceTracker(), []
    for step in range(10):
        found = track(np.roll(astronaut, 6 * step, axis=1))
        assert found is not None
        tips.append(float(found.points[1, 0]))
    np.testing.assert_allclose(np.diff(tips), 6, atol=1.5)


def test_a_lost_face_is_found_again(astronaut: Picture) -> None:
    track, empty = FaceTracker(), np.zeros_like(astronaut)
    assert track(astronaut) is not None
    assert track(empty) is None
    assert track(empty) is None
    again = track(np.roll(astronaut, 200, axis=1))
    assert again is not None
    np.testing.assert_allclose(again.points[1, 0], 422, atol=5)


def test_a_far_face_in_a_large_picture_is_found(astronaut: Picture) -> None:
    large = np.full((1080, 1920, 3), 90, np.uint8)
    large[400:784, 900:1284] = np.asarray(Image.fromarray(astronaut).resize((384, 384)))
    found = FaceTracker()(large)
    assert found is not None
    np.testing.assert_allclose(found.points[1, :2], (900 + 222 * 0.75, 400 + 125 * 0.75), atol=6)

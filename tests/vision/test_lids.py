import numpy as np
from numpy.typing import NDArray

from mien.vision import EyeLids, FaceTracker
from mien.vision.lids import EYES, eye_region


def test_a_lid_drawn_over_the_eye_is_seen(astronaut: NDArray[np.uint8]) -> None:
    face, lids = FaceTracker()(astronaut), EyeLids()
    assert face is not None
    shut = astronaut.copy()
    for inner, outer, _ in EYES:
        (x0, y0), (x1, y1) = np.sort(face.points[[inner, outer], :2], axis=0).astype(int)
        shut[y0 - 7 : y1 + 2, x0 - 1 : x1 + 2] = astronaut[y0 + 12, (x0 + x1) // 2]  # the cheek's skin
    assert 0.25 < lids(astronaut, face) < 0.45
    assert lids(shut, face) < 0.6 * lids(astronaut, face)


def test_the_eyes_squares_lie_on_the_eyes(astronaut: NDArray[np.uint8]) -> None:
    face = FaceTracker()(astronaut)
    assert face is not None
    right, left = (eye_region(face, *eye) for eye in EYES)
    np.testing.assert_allclose((right.x, right.y, left.x, left.y), (204, 102, 247, 105), atol=4)
    assert abs(right.angle) < 0.3
    assert abs(left.angle) < 0.3

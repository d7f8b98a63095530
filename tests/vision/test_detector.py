import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from mien.errors import InputError
from mien.vision import FaceDetector
from mien.vision.detector import LEFT_EYE, MOUTH, RIGHT_EYE, anchors, merge, overlap

Picture = NDArray[np.uint8]


@pytest.mark.parametrize("reach", ["short", "back", "full"])
def test_the_face_in_the_photograph_is_found(astronaut: Picture, reach: str) -> None:
    (face,) = FaceDetector(reach)(astronaut)
    assert face.score > 0.8
    np.testing.assert_allclose(face.keypoints[RIGHT_EYE], (204, 102), atol=5)
    np.testing.assert_allclose(face.keypoints[LEFT_EYE], (248, 105), atol=5)
    np.testing.assert_allclose(face.keypoints[MOUTH], (222, 147), atol=6)
    assert 0.05 < face.region.angle + 0.05 < 0.25


def test_a_wide_picture_is_not_squeezed(astronaut: Picture) -> None:
    wide = np.zeros((512, 1280, 3), np.uint8)
    wide[:, 600:1112] = astronaut
    (face,) = FaceDetector("full")(wide)
    np.testing.assert_allclose(face.keypoints[RIGHT_EYE], (804, 102), atol=10)


def test_the_largest_face_comes_first(astronaut: Picture) -> None:
    both = np.zeros((400, 640, 3), np.uint8)
    both[:, 300:] = astronaut[:400, 90:430]
    both[80:330, :250] = np.asarray(Image.fromarray(astronaut[:330, 60:390]).resize((250, 250)))
    near, far = FaceDetector("full")(both)
    assert near.area > 1.3 * far.area
    assert near.box[0] > 300 > far.box[2]


def test_no_face_is_no_detection() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (300, 200, 3), dtype=np.uint8)
    assert FaceDetector()(noise) == []


def test_another_range_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'short'"):
        FaceDetector("shot")


def test_anchors_lie_in_the_middle_of_their_cells() -> None:
    found = anchors(((16, 2), (8, 6)))
    assert found.shape == (896, 2)
    np.testing.assert_allclose(found[:4], [[1 / 32] * 2, [1 / 32] * 2, [3 / 32, 1 / 32], [3 / 32, 1 / 32]])
    np.testing.assert_allclose(found[-1], [15 / 16, 15 / 16])


def test_overlap_is_shared_over_joined() -> None:
    box = np.array([0, 0, 2, 2], np.float32)
    others = np.array([[0, 0, 2, 2], [1, 0, 3, 2], [5, 5, 6, 6]], np.float32)
    np.testing.assert_allclose(overlap(box, others), [1, 1 / 3, 0])


def test_merge_averages_what_overlaps_by_score() -> None:
    rows = np.zeros((3, 16), np.float32)
    rows[:, :4] = [[0, 0, 10, 10], [1, 0, 11, 10], [50, 50, 60, 60]]
    faces = merge(np.array([0.9, 0.3, 0.6], np.float32), rows)
    assert [round(score, 2) for score, _ in faces] == [0.9, 0.6]
    np.testing.assert_allclose(faces[0][1][:4], [0.25, 0, 10.25, 10])

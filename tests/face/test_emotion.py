import numpy as np
import pytest

from mien.face.emotion import EXPRESSIONS, Feelings, expression
from mien.face.feeling import EMOTIONS, Emotion
from mien.face.pose import ARKIT_INDEX

TIMES = np.arange(0, 6, 1 / 60)
SMILE, FROWN = ARKIT_INDEX["mouthSmileLeft"], ARKIT_INDEX["mouthFrownLeft"]
HAPPY = EXPRESSIONS["happy"]["mouthSmile"]


def test_every_emotion_has_a_face_of_its_own():
    assert set(EXPRESSIONS) == set(EMOTIONS)
    faces = np.stack([expression(Emotion(name)) for name in EMOTIONS])
    distance = np.linalg.norm(faces[:, None] - faces[None], axis=2)
    assert distance[~np.eye(len(faces), dtype=bool)].min() > 0.5


@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_strength_scales(strength):
    face, _ = Feelings(Emotion("happy", strength), 1).at(TIMES)
    assert np.allclose(face[:, SMILE], strength * HAPPY)


def test_a_change_is_smooth_and_neutral_returns_to_the_mood():
    feelings = Feelings(Emotion("happy", 0.4), 1)
    feelings.change(1.0, Emotion("sad"))
    feelings.change(3.0, Emotion("neutral"))
    face, head = feelings.at(TIMES)
    assert face[50, FROWN] == 0
    assert np.isclose(face[120, FROWN], EXPRESSIONS["sad"]["mouthFrown"])
    assert np.isclose(face[-1, SMILE], 0.4 * HAPPY)
    assert np.abs(np.diff(face[:, FROWN])).max() < 0.04
    assert np.abs(np.diff(head, axis=0)).max() < 0.01


def test_forgetting_what_is_over_changes_nothing():
    feelings, same = Feelings(Emotion(), 1), Feelings(Emotion(), 1)
    for f in (feelings, same):
        f.change(1.0, Emotion("angry"))
    feelings.drop_before(3.0)
    assert np.array_equal(feelings.at(TIMES[200:])[0], same.at(TIMES[200:])[0])

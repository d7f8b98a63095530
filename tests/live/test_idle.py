import numpy as np
import pytest

from mien.face.feeling import Emotion
from mien.face.pose import ARKIT_INDEX, FacePose, FaceTrack
from mien.live.idle import FRAME_HZ, Blend, IdleFace, Shown


def test_frames_follow_each_other_however_they_are_taken():
    whole, parts = IdleFace(0.5, Emotion()), IdleFace(0.5, Emotion())
    for face in (whole, parts):
        face.begin(90, None)
    one = whole.take(390)
    many = FaceTrack.join([parts.take(end) for end in (91, 150, 150, 389, 390)])
    assert one.start_s == many.start_s == 1.5
    np.testing.assert_array_equal(one.weights, many.weights)
    assert one.weights[:, ARKIT_INDEX["jawOpen"]].max() < 0.02


def test_it_begins_from_what_was_shown_and_forgets_it_within_150_ms():
    open_mouth = FacePose(np.full(52, 0.6, np.float32), np.full(3, 0.1, np.float32))
    face, free = IdleFace(0.5, Emotion()), IdleFace(0.5, Emotion())
    face.begin(0, open_mouth)
    free.begin(0, None)
    blended, own = face.take(60), free.take(60)
    assert abs(blended.weights[0] - 0.6).max() < 0.1
    np.testing.assert_allclose(blended.weights[9:], own.weights[9:])
    assert (np.diff(blended.weights[:9, ARKIT_INDEX["jawOpen"]]) <= 0).all()


def test_a_nod_goes_down_and_comes_back():
    face, still = IdleFace(0.5, Emotion()), IdleFace(0.5, Emotion())
    face.nod()
    pitch = face.take(60).head[:, 1] - still.take(60).head[:, 1]
    assert pitch.max() == pytest.approx(0.045, abs=0.002)
    assert abs(pitch[40:]).max() < 1e-6


def test_what_was_shown_can_be_taken_back():
    shown = Shown.nothing()
    assert shown.cut(0) is None
    track = FaceTrack(np.arange(52 * 30, dtype=np.float32).reshape(30, 52), np.zeros((30, 3), np.float32),
                      np.zeros((30, 2, 2), np.float32), FRAME_HZ)  # fmt: skip
    shown.add(track, 0)
    pose = shown.cut(11)
    assert pose is not None
    assert pose.weights[0] == 520.0
    assert shown.end == 11
    shown.add(track.cut(11), 20)
    assert (shown.end, len(shown.track)) == (30, 20)  # those before frame 20 are not kept but for the last


def test_a_blend_of_nothing_changes_nothing():
    track = FaceTrack.empty(FRAME_HZ)
    assert Blend(None).apply(track) is track
    assert Blend(FacePose()).apply(track) is track

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.face.pose import FaceTrack
from mien.persona.frames import Frames

RATES = [
    Fraction(24000, 1001),
    Fraction(25),
    Fraction(30000, 1001),
    Fraction(30),
    Fraction(60),
    Fraction(120),
]


def ramp(frames: int) -> FaceTrack:
    """A track whose first weight is its own time in seconds."""
    weights = np.zeros((frames, 52), np.float32)
    weights[:, 0] = np.arange(frames) / 60
    return FaceTrack(weights, np.zeros((frames, 3), np.float32), np.zeros((frames, 2, 2), np.float32))


def shown(frames: Frames, track: FaceTrack, cuts: list[int], end_s: float) -> list[float]:
    poses, edges = [], [0, *sorted(cuts), len(track)]
    for low, high in itertools.pairwise(edges):
        poses += frames.take(track.cut(low, high))
    poses += frames.rest(end_s)
    return [float(pose.weights[0]) for pose in poses]


@given(st.sampled_from(RATES), st.lists(st.integers(0, 180), max_size=6))
def test_picture_i_shows_the_face_at_i_over_fps_however_the_track_is_cut(fps, cuts):
    times = shown(Frames(fps), ramp(180), cuts, end_s=3.0)
    assert times == pytest.approx([min(float(i / fps), 179 / 60) for i in range(len(times))], abs=1e-5)
    assert len(times) == -(-3 * fps.numerator // fps.denominator)


def test_the_last_face_is_held_until_the_sound_ends():
    times = shown(Frames(Fraction(30)), ramp(61), [], end_s=2.0)
    assert len(times) == 60
    assert times[-1] == pytest.approx(1.0)


def test_only_frames_that_are_still_needed_are_kept():
    frames, track = Frames(Fraction(25)), ramp(6000)
    for low in range(0, 6000, 30):
        frames.take(track.cut(low, low + 30))
    assert len(frames._held) <= 4

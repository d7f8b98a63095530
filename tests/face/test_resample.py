import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import InputError
from mien.face import FaceTrack
from mien.face.resample import resample


def ramp(frames: int, rate_hz: float = 60.0) -> FaceTrack:
    line = np.arange(frames, dtype=np.float32) / rate_hz
    return FaceTrack(
        np.repeat(line[:, None], 52, 1),
        np.repeat(line[:, None], 3, 1),
        np.broadcast_to(line[:, None, None], (frames, 2, 2)),
        rate_hz,
    )


@given(frames=st.integers(0, 200), rate=st.sampled_from([24.0, 25.0, 30000 / 1001, 30.0, 50.0, 60.0, 120.0]))
def test_twice_is_once(frames, rate):
    once = resample(ramp(frames), rate)
    twice = resample(once, rate)
    assert once.rate_hz == twice.rate_hz == rate
    for name in ("weights", "head", "gaze"):
        assert np.array_equal(getattr(once, name), getattr(twice, name))


@given(frames=st.integers(2, 200), rate=st.floats(5, 240))
def test_frames_stand_where_they_stood_and_time_is_kept(frames, rate):
    track = resample(ramp(frames), rate)
    assert abs(track.end_s - frames / 60) <= 1 / rate + 1e-6
    times = np.minimum(np.arange(len(track)) / rate, (frames - 1) / 60)
    np.testing.assert_allclose(track.weights[:, 0], times, atol=1e-5)


def test_down_and_up_and_down_again():
    rng = np.random.default_rng(0)
    track = FaceTrack(
        rng.random((90, 52), np.float32), np.zeros((90, 3), np.float32), np.zeros((90, 2, 2), np.float32)
    )
    half = resample(track, 30)
    assert np.array_equal(half.weights, track.weights[::2])
    assert np.array_equal(resample(resample(half, 60), 30).weights, half.weights)


def test_a_rate_must_make_sense():
    with pytest.raises(InputError):
        resample(ramp(3), 0)

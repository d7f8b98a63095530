import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mien.face.curves import noise, ramp, uniform_at, window

TIMES = np.arange(0, 300, 1 / 60)


@given(seed=st.integers(0, 2**63), cut=st.integers(1, 500))
def test_noise_is_a_function_of_time_alone(seed, cut):
    whole = noise(TIMES[:501], 0.7, seed)
    parts = [noise(TIMES[:cut], 0.7, seed), noise(TIMES[cut:501], 0.7, seed)]
    assert np.array_equal(np.concatenate(parts), whole)


def test_noise_is_smooth_centred_and_bounded():
    values = noise(TIMES, 1.0, 5)
    assert np.abs(values).max() < 1.4
    assert abs(values.mean()) < 0.1
    assert 0.3 < values.std() < 0.7
    assert np.abs(np.diff(values)).max() < 0.08
    assert not np.array_equal(values, noise(TIMES, 1.0, 6))


def test_hashes_are_uniform_and_repeatable():
    values = uniform_at(1, np.arange(20000))
    assert np.array_equal(values, uniform_at(1, np.arange(20000)))
    assert np.all(np.abs(np.histogram(values, 10, (0, 1))[0] - 2000) < 200)
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.03


def test_windows_hold_and_end():
    shape = window(TIMES, 1.0, 1.5, 2.0, 3.0)
    assert np.all(shape[(TIMES < 1) | (TIMES > 3)] == 0)
    assert np.all(shape[(TIMES >= 1.5) & (TIMES <= 2)] == 1)
    assert ramp(TIMES, 1.0, 1.0)[59:62].tolist() == [0.0, 0.0, 1.0]

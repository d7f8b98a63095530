import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.audio import Pcm
from mien.errors import InputError
from mien.speech.listening.tape import Intake, Tape


@settings(deadline=None, max_examples=30)
@given(st.sampled_from([8_000, 16_000, 24_000, 44_100, 48_000]), st.lists(st.integers(0, 9_000), max_size=8))
def test_the_same_hops_however_it_is_cut(rate_hz, cuts):
    sound = np.sin(np.arange(30_000) / 9).astype(np.float32)
    whole, pieces = Intake(rate_hz), Intake(rate_hz)
    expected = whole.push(sound) + whole.finish()
    edges = [0, *np.minimum(np.cumsum(cuts), len(sound)).tolist(), len(sound)]
    got = [hop for a, b in itertools.pairwise(edges) for hop in pieces.push(sound[a:b])]
    got += pieces.finish()
    np.testing.assert_allclose(np.concatenate(got), np.concatenate(expected), atol=1e-6)


@pytest.mark.parametrize(
    ("pcm", "said"),
    [
        (Pcm(np.zeros(10, np.float32), 8_000), "8000 Hz came where 24000 Hz"),
        (Pcm(np.array([0.0, np.nan], np.float32), 24_000), "no numbers"),
        (Pcm(np.array([np.inf], np.float32), 24_000), "no numbers"),
        (Pcm(np.zeros((2, 5), np.float32), 24_000), r"shape \(2, 5\)"),
        (Pcm(np.zeros(5, np.int16), 24_000), "int16"),
        (Pcm(np.zeros(25_000_000, np.float32), 24_000), "1,042 s"),
    ],
)
def test_sound_that_can_not_be_heard_is_named(pcm, said):
    with pytest.raises(InputError, match=said):
        Intake(24_000).check(pcm)


@pytest.mark.parametrize("rate_hz", [0, -16_000, 10, 10**9])
def test_rates_that_can_not_be(rate_hz):
    with pytest.raises(InputError, match=str(rate_hz)):
        Intake(rate_hz)


def test_too_loud_is_clipped():
    assert Intake(16_000).check(Pcm(np.array([3.0, -2.0], np.float32), 16_000)).tolist() == [1.0, -1.0]


def test_places_are_on_the_clock_of_what_was_pushed():
    assert Intake(48_000).sample(16_000) == 48_000
    assert Intake(8_000).sample(512) == 256


@given(st.integers(1, 40), st.integers(0, 25_000), st.integers(0, 25_000), st.integers(0, 25_000))
def test_a_tape_gives_what_it_keeps(hops, before, start, end):
    sound = np.arange(hops * 512, dtype=np.float32)
    tape = Tape()
    for hop in sound.reshape(-1, 512):
        tape.add(hop)
    tape.forget(before)
    first = min(before // 512, hops) * 512
    assert tape.end == len(sound)
    np.testing.assert_array_equal(tape.cut(start, end), sound[max(first, start) : max(0, end)])


@pytest.mark.parametrize("rate_hz", [16_000, 24_000])
def test_what_is_taken_back_is_silent_and_what_comes_next_is_not(rate_hz):
    intake = Intake(rate_hz)
    sound = np.full(rate_hz + 100, 0.5, np.float32)
    before = len(intake.push(sound))
    intake.clear()
    after = np.concatenate(intake.push(sound) + intake.finish())
    ends = (len(sound) * 16_000) // rate_hz - before * 512
    assert ends > 64, "a part of it was in no hop yet"
    assert not after[:ends].any()
    assert after[ends + 256 : ends + 4_096].min() > 0.4

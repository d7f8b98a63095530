import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import InputError
from mien.speech.breath import Prosody
from mien.speech.voices.sound import Finish, check, limit

RATE = 16_000


def tone(hz, seconds=1.0):
    return (0.5 * np.sin(2 * np.pi * hz * np.arange(int(seconds * RATE)) / RATE)).astype(np.float32)


def finished(samples, prosody, cuts=()):
    finish = Finish(prosody, RATE, len(samples))
    parts = [finish.push(part) for part in np.split(samples, list(cuts))]
    return np.concatenate([*parts, finish.push(np.zeros(0, np.float32), last=True)])


def pitch_of(samples):
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.argmax(spectrum)) * RATE / len(samples)


@pytest.mark.parametrize("semitones", [-12.0, -3.0, 0.0, 5.0, 12.0])
def test_pitch_moves_by_semitones(semitones):
    moved = finished(tone(440), Prosody(pitch=semitones))
    assert pitch_of(moved) == pytest.approx(440 * 2 ** (semitones / 12), rel=0.01)


@given(
    pitch=st.floats(-12, 12),
    length=st.integers(0, 4000),
    cuts=st.lists(st.integers(0, 4000), max_size=4),
)
def test_the_length_is_exact_however_it_is_cut(pitch, length, cuts):
    samples = tone(300)[:length]
    finish = Finish(Prosody(pitch=pitch), RATE, length)
    made = finished(samples, Prosody(pitch=pitch), sorted(c for c in cuts if c <= length))
    assert len(made) == finish.length == finish.moved(length)


def test_volume_is_a_gain_below_the_knee():
    np.testing.assert_allclose(finished(tone(200), Prosody(volume=-20.0)), tone(200) * 0.1, rtol=1e-5)


@given(st.floats(0, 100, width=32), st.floats(0, 100, width=32))
def test_the_limiter_keeps_order_and_full_scale(a, b):
    low, high = limit(np.sort(np.array([a, b], np.float32)))
    assert 0.0 <= low <= high <= 1.0
    assert limit(np.float32([-a]))[0] == -limit(np.float32([a]))[0]


def test_the_limiter_leaves_quiet_sound_as_it_is():
    np.testing.assert_array_equal(limit(tone(100)), tone(100))


@pytest.mark.parametrize(
    ("prosody", "name"),
    [(Prosody(rate=5.0), "rate"), (Prosody(pitch=-13.0), "pitch"), (Prosody(volume=float("inf")), "volume")],
)
def test_what_no_voice_can_do_is_named(prosody, name):
    with pytest.raises(InputError, match=f"prosody {name} .* is outside"):
        check(prosody)

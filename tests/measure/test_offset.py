import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.audio.pcm import Pcm
from mien.measure.lips import closures, on_grid, opening
from mien.measure.offset import Offset, brightness, dip, measure_offset
from mien.measure.sound import hear
from mien.measure.speech import speech

from .acted import RATE_HZ, Act, act, series_of


def offset(acted: Act, sound: Pcm, fps: float, *, ahead_ms: float = 0.0) -> Offset:
    series, heard = series_of(acted, fps, ahead_ms=ahead_ms, noise=0.01), hear(sound)
    grid = on_grid(series, series.in_mouths("aperture"), sound.duration_s)
    grid = opening(grid)
    return measure_offset(grid, closures(grid), brightness(heard), speech(heard))


def later(sound: Pcm, milliseconds: float) -> Pcm:
    """Play the sound later, or earlier, by a whole number of samples."""
    shift = round(milliseconds * RATE_HZ / 1e3)
    padded = np.concatenate([np.zeros(max(0, shift), np.float32), sound.samples[max(0, -shift) :]])
    return Pcm(padded, sound.rate_hz)


@pytest.fixture(scope="module")
def acted() -> Act:
    return act(6)


@pytest.mark.parametrize("fps", [25, 30000 / 1001, 30, 60])
@pytest.mark.parametrize("ahead_ms", [-120, -40, -7.3, 0, 11.9, 60, 120])
def test_the_offset_of_the_picture_is_found(acted: Act, fps: float, ahead_ms: float) -> None:
    found = offset(acted, acted.sound, fps, ahead_ms=ahead_ms)
    assert found.method == "closures"
    assert found.value_ms == pytest.approx(ahead_ms, abs=5)


@given(milliseconds=st.floats(-120, 120), fps=st.sampled_from([25.0, 30.0, 60.0]))
@settings(max_examples=12, deadline=None)
def test_moving_the_sound_moves_the_offset_by_as_much(milliseconds: float, fps: float) -> None:
    acted = act(5, seed=3)
    before, after = (offset(acted, sound, fps) for sound in (acted.sound, later(acted.sound, milliseconds)))
    assert before.value_ms is not None
    assert after.value_ms == pytest.approx(before.value_ms + milliseconds, abs=3)


@pytest.mark.parametrize("far_ms", [-700, 1000])
def test_a_far_offset_is_found(acted: Act, far_ms: float) -> None:
    assert offset(acted, later(acted.sound, far_ms), 30).value_ms == pytest.approx(far_ms, abs=5)


def test_the_error_covers_the_truth() -> None:
    found = [offset(act(5, seed), act(5, seed).sound, 25) for seed in range(6)]
    scores = [o.value_ms / o.error_ms for o in found if o.value_ms is not None and o.error_ms]
    assert len(scores) == 6
    assert max(map(abs, scores)) < 3


def test_a_foreign_sound_has_no_offset(acted: Act) -> None:
    for seed in (11, 12, 13):
        found = offset(acted, act(6, seed).sound, 30)
        assert found.value_ms is None
        assert "hardly moves with the sound" in (found.reason or "")


def test_without_speech_or_mouth_it_says_so(acted: Act) -> None:
    silence = Pcm.silence(4.0, RATE_HZ)
    assert "s of speech" in (offset(acted, silence, 30).reason or "")
    bright, spoken = brightness(hear(acted.sound)), speech(hear(acted.sound))
    assert "not seen" in (measure_offset(np.full(3000, np.nan), [], bright, spoken).reason or "")
    assert "not seen" in (measure_offset(np.full(3000, 0.1), [], bright, spoken).reason or "")


def test_without_closures_correlation_stands_in(acted: Act) -> None:
    heard, series = hear(acted.sound), series_of(acted, 30)
    grid = on_grid(series, series.in_mouths("aperture"), acted.sound.duration_s)
    found = measure_offset(grid, [], brightness(heard), speech(heard))
    assert found.method == "correlation"
    assert found.value_ms == pytest.approx(0, abs=20)


def test_no_dip_where_the_sound_is_even() -> None:
    assert dip(np.array([1.0, 2.0, 3.0]), np.full(3000, -30.0), 0.0) is None
    assert dip(np.zeros(0), np.full(3000, -30.0), 0.0) is None

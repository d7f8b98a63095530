import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.audio.pcm import Pcm
from mien.audio.resample import Resampler, resample, resampled_length

RATES = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000]


def tone(rate_hz: int, samples: int, hz: float = 440.0) -> Pcm:
    return Pcm(np.sin(2 * np.pi * hz * np.arange(samples) / rate_hz).astype(np.float32), rate_hz)


def test_a_tone_stays_where_it_is() -> None:
    got = resample(tone(22_050, 22_050), 48_000).samples
    want = tone(48_000, 48_000).samples
    assert len(got) == 48_000
    assert np.abs(got - want)[500:-500].max() < 1e-3


def test_the_same_rate_is_left_alone() -> None:
    pcm = tone(16_000, 100)
    assert resample(pcm, 16_000) is pcm


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(RATES),
    st.sampled_from(RATES),
    st.lists(st.integers(0, 3000), max_size=8),
)
def test_a_stream_has_the_exact_length(from_hz: int, to_hz: int, parts: list[int]) -> None:
    stream = Resampler(from_hz, to_hz)
    got = sum(len(stream.push(np.ones(part, np.float32))) for part in parts) + len(stream.finish())
    assert got == resampled_length(sum(parts), from_hz, to_hz)


def test_a_stream_equals_the_whole() -> None:
    pcm = tone(24_000, 24_000)
    stream = Resampler(24_000, 44_100)
    parts = [stream.push(pcm.samples[at : at + 700]) for at in range(0, len(pcm), 700)]
    joined = np.concatenate([*parts, stream.finish()])
    assert np.abs(joined - resample(pcm, 44_100).samples).max() < 1e-5


def test_a_rate_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        Resampler(0, 16_000)

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mien.audio.pcm import Pcm
from mien.measure.sound import hear
from mien.measure.speech import Span, covers, runs, silences, speech


def noise(*spans: tuple[float, float], floor: float = 1e-4, length_s: float = 4.0) -> Pcm:
    random = np.random.default_rng(0)
    samples = random.normal(0, floor, round(length_s * 16_000))
    for start, end in spans:
        part = samples[round(start * 16_000) : round(end * 16_000)]
        part += random.normal(0, 0.1, len(part))
    return Pcm(samples.astype(np.float32), 16_000)


def test_a_pause_parts_and_a_closure_does_not() -> None:
    found = speech(hear(noise((0.5, 1.0), (1.12, 1.5), (2.0, 3.0))))
    np.testing.assert_allclose([(s.start_s, s.end_s) for s in found], [(0.5, 1.5), (2.0, 3.0)], atol=0.02)


def test_a_noisy_room_is_not_speech() -> None:
    found = speech(hear(noise((1.0, 2.0), floor=0.004)))
    np.testing.assert_allclose([(s.start_s, s.end_s) for s in found], [(1.0, 2.0)], atol=0.02)


def test_a_click_and_silence_are_not_speech() -> None:
    assert speech(hear(noise((1.0, 1.01)))) == []
    assert speech(hear(Pcm(np.zeros(16_000, np.float32), 16_000))) == []


def test_silences_are_between_before_and_after() -> None:
    found = silences([Span(0.5, 1.0), Span(1.1, 2.0), Span(3.0, 3.9)], 4.0)
    assert found == [Span(0.0, 0.5), Span(2.0, 3.0)]
    assert silences([], 1.0) == [Span(0.0, 1.0)]


@given(st.lists(st.booleans()))
def test_runs_give_the_mask_back(mask: list[bool]) -> None:
    again = np.zeros(len(mask), bool)
    for start, end in runs(np.array(mask, bool)):
        assert start < end
        again[start:end] = True
    assert again.tolist() == mask


def test_covers_keeps_a_margin() -> None:
    times = np.array([0.9, 1.05, 1.5, 1.95, 2.1])
    assert covers([Span(1, 2)], times, 0.1).tolist() == [False, False, True, False, False]

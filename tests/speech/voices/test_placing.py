import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mien.face.phone import Phone
from mien.speech.voices.placing import place

LOUD = np.full(200, -20.0, np.float32)


def test_phones_stay_out_of_pauses() -> None:
    phones = [Phone("a", 0, 90), Phone("s", 90, 125), Phone("i", 125, 200)]
    got = place(phones, [(100, 130)], LOUD)
    assert got == [Phone("a", 0, 90), Phone("s", 90, 100), Phone("", 100, 130), Phone("i", 130, 200)]


def test_a_gap_without_a_pause_is_closed() -> None:
    got = place([Phone("a", 0, 90), Phone("", 90, 110), Phone("i", 110, 200)], [], LOUD)
    assert got == [Phone("a", 0, 100), Phone("i", 100, 200)]


def test_a_noise_that_no_phone_claims_is_silence() -> None:
    got = place([Phone("a", 100, 200)], [(40, 60)], LOUD)
    assert got == [Phone("", 0, 100), Phone("a", 100, 200)]


def test_a_bilabial_moves_to_its_closure() -> None:
    level = LOUD.copy()
    level[104:116] = -60.0
    got = place([Phone("a", 0, 98), Phone("b", 98, 110), Phone("a", 110, 200)], [], level)
    assert got[1] == Phone("b", 104, 116)
    assert place([Phone("a", 0, 98), Phone("d", 98, 110), Phone("a", 110, 200)], [], level)[1].start == 98


def test_stress_and_order_are_kept() -> None:
    got = place([Phone("a", 50, 50, 2), Phone("i", 50, 50), Phone("u", 50, 51, 1)], [], LOUD)
    assert [(p.symbol, p.stress) for p in got if p.symbol] == [("a", 2), ("i", 0), ("u", 1)]


@given(
    st.lists(st.tuples(st.sampled_from("apbis"), st.integers(0, 30)), min_size=1, max_size=30),
    st.sets(st.integers(1, 19), max_size=4),
    st.integers(0, 9),
)
def test_the_whole_recording_is_covered(symbols: list[tuple[str, int]], tens: set[int], seed: int) -> None:
    ends = np.minimum(np.cumsum([length for _, length in symbols]), 200)
    phones = [Phone(s, int(a), int(b)) for (s, _), a, b in zip(symbols, [0, *ends[:-1]], ends, strict=True)]
    silent = [(10 * ten - 6, 10 * ten) for ten in sorted(tens)]
    level = np.random.default_rng(seed).uniform(-70, -10, 200).astype(np.float32)
    got = place(phones, silent, level)
    assert [p.start for p in got] == [0, *(p.end for p in got[:-1])]
    assert got[-1].end == 200
    assert all(p.end > p.start for p in got)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import InputError
from mien.speech.listening.turn import EAGERNESS, SmartTurn, TurnDetector, TurnOptions


@given(st.floats(0, 1), st.floats(0, 1))
def test_less_doubt_never_waits_longer(one, other):
    low, high = sorted((one, other))
    for eagerness in EAGERNESS.values():
        assert eagerness.quick_s <= eagerness.needs_s(high) <= eagerness.needs_s(low) <= eagerness.patience_s


@given(st.floats(0, 1))
def test_the_more_eager_never_waits_longer(probability):
    low, medium, high = (EAGERNESS[name].needs_s(probability) for name in ("low", "medium", "high"))
    assert high <= medium <= low


def test_a_sure_model_is_asked_once_at_the_first_silence():
    detector = TurnDetector(TurnOptions())
    detector.begin()
    assert detector.asks(0.032)
    assert not detector.decides(0.096)
    assert detector.decides(0.128)
    detector.probability = 0.95
    assert not detector.asks(0.192)
    assert not detector.is_over(0.096)
    assert detector.is_over(0.128)


def test_one_in_doubt_is_asked_again_and_then_waits():
    detector = TurnDetector(TurnOptions())
    detector.begin()
    assert detector.asks(0.032)
    detector.probability = 0.1
    assert not detector.asks(0.16)
    assert detector.asks(0.192)
    detector.probability = 0.3
    assert not detector.asks(0.3)
    assert not detector.is_over(0.9)
    assert detector.is_over(1.12)
    detector.begin()
    assert detector.asks(0.032)


@pytest.mark.parametrize("eagerness", sorted(EAGERNESS))
def test_the_first_answer_is_there_before_it_is_asked_again(eagerness):
    detector = TurnDetector(TurnOptions(eagerness=eagerness))
    assert detector.decides(0.192)
    assert detector.decides(EAGERNESS[eagerness].quick_s)


def test_silence_alone_can_end_a_turn():
    detector = TurnDetector(TurnOptions("silence", silence_s=0.7))
    detector.begin()
    assert not detector.asks(0.3)
    assert [detector.is_over(s) for s in (0.5, 0.704)] == [False, True]


def test_push_to_talk_never_ends_by_itself():
    detector = TurnDetector(TurnOptions("manual"))
    detector.begin()
    assert not detector.asks(1.0)
    assert not detector.is_over(1e6)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "semantics"}, "did you mean 'semantic'"),
        ({"eagerness": "hi"}, "eagerness 'hi'"),
        ({"silence_s": 0.0}, "silence of 0.0 s"),
    ],
)
def test_options_that_can_not_be(wrong, said):
    with pytest.raises(InputError, match=said):
        TurnOptions(**wrong)


def test_a_finished_sentence_sounds_finished(at_16k):
    model = SmartTurn.load()
    sound = at_16k.samples
    finished = model.probability(sound[round(4.72 * 16_000) : round(6.43 * 16_000)])
    broken_off = model.probability(sound[round(1.09 * 16_000) : round(2.9 * 16_000)])
    assert finished > 0.6 > 0.4 > broken_off


def test_any_length_can_be_asked():
    model = SmartTurn.load()
    for length in (0, 1, 12 * 16_000):
        assert 0.0 <= model.probability(np.zeros(length, np.float32)) <= 1.0


def test_the_first_silence_is_judged_as_if_it_went_on(at_16k):
    model = SmartTurn.load()
    for end_s in (6.43, 2.9):
        sound = at_16k.samples[: round(end_s * 16_000)]
        quiet = np.zeros(1024, np.float32)
        early = model.probability(sound, silent_s=0.032)
        assert early == pytest.approx(model.probability(np.concatenate([sound, quiet])), abs=1e-5)

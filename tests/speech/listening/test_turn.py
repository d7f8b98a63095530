import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import InputError
from mien.speech.listening.activity import HOP_S
from mien.speech.listening.turn import EAGERNESS, SmartTurn, TurnDetector, TurnOptions


@given(st.floats(0, 1), st.floats(0, 1))
def test_less_doubt_never_waits_longer(one, other):
    low, high = sorted((one, other))
    for eagerness in EAGERNESS.values():
        waits = [eagerness.needs_s(complete) for complete in (1.0, high, low, 0.0)]
        assert waits == sorted(waits)
        assert waits[0] == eagerness.quick_s
        assert waits[-1] == pytest.approx(eagerness.patience_s)


@given(st.floats(0, 1))
def test_the_more_eager_never_waits_longer(complete):
    low, medium, high = (EAGERNESS[name].needs_s(complete) for name in ("low", "medium", "high"))
    assert high <= medium <= low


def detector(probability: float, eagerness: str = "auto") -> TurnDetector:
    made = TurnDetector(TurnOptions(eagerness=eagerness))
    made.begin()
    made.probability = probability
    return made


def waits_s(detector: TurnDetector) -> float:
    return next(hops * HOP_S for hops in range(1, 400) if detector.is_over(hops * HOP_S))


def test_the_model_is_asked_once_in_each_silence():
    each = detector(0.9)
    assert [each.asks(), each.asks()] == [True, False]
    each.begin()
    assert each.asks()


def test_words_are_read_only_when_the_end_hangs_on_them():
    sure = detector(0.97)
    assert not sure.reads(0.128)
    assert sure.reads(0.16)
    sure.read("Open an account for the", "en")
    assert not sure.reads(0.192)
    assert not sure.is_over(0.3)
    unsure = detector(0.02)
    assert not unsure.reads(0.5)


def test_a_sentence_that_reads_well_ends_sooner():
    waits = []
    for text in ("Open an account for my son.", "Open an account", "Open an account for my"):
        each = detector(0.7)
        each.read(text, "en")
        waits.append(waits_s(each))
    assert waits[0] < 0.2 < waits[1] < 0.5 < 1.0 < waits[2] <= 4.0


def test_a_sentence_said_with_doubt_in_the_voice_ends_later():
    waits = [waits_s(detector(probability)) for probability in (0.9, 0.3, 0.1, 0.01)]
    assert waits == sorted(waits)
    assert waits[0] == pytest.approx(0.16)
    assert 2.0 < waits[3] < 4.0


@pytest.mark.parametrize("eagerness", sorted(EAGERNESS))
def test_the_model_is_heard_before_its_answer_matters(eagerness):
    quick_s = EAGERNESS[eagerness].quick_s
    each = detector(0.99, eagerness)
    assert each.decides(quick_s)
    assert not each.decides(quick_s - HOP_S)
    assert waits_s(each) == pytest.approx(quick_s, abs=HOP_S)


def test_silence_alone_can_end_a_turn():
    detector = TurnDetector(TurnOptions("silence", silence_s=0.7))
    detector.begin()
    assert not detector.asks()
    assert [detector.is_over(s) for s in (0.5, 0.704)] == [False, True]


def test_push_to_talk_never_ends_by_itself():
    detector = TurnDetector(TurnOptions("manual"))
    detector.begin()
    assert not detector.asks()
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

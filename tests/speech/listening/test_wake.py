import pytest

from mien.errors import InputError
from mien.speech.listening.events import Final, Partial, Pause, SpeechStarted, Woken, Word
from mien.speech.listening.wake import WakeGate, find


def words(text: str) -> tuple[Word, ...]:
    return tuple(Word(f" {part}", 0, 0, 1.0) for part in text.split())


def partial(sample: int, text: str) -> Partial:
    return Partial(sample, 1, words(text), 0, "en", False)


def final(sample: int, text: str) -> Final:
    return Final(sample, 1, words(text), "en", 1.0, False, 0)


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("hey mien what time", 2),
        ("Hey, Mien!", 2),
        ("um hey mean hello", None),
        ("so hey mienn hello", 3),
        ("heymien hello", 1),
        ("hello there", None),
        ("", None),
    ],
)
def test_wake_words_are_found(said, taken):
    match = find(words(said), ["hey mien"])
    assert (match.taken if match else None) == taken


def test_short_words_must_be_exact():
    assert find(words("may"), ["max"]) is None


def test_the_gate_opens_and_shuts():
    gate = WakeGate(("computer",), awake_s=10.0, rate_hz=100)
    start = SpeechStarted(0, 1)
    assert gate.pass_on(start) == []
    assert gate.pass_on(partial(50, "hello")) == []
    opened = gate.pass_on(partial(90, "computer what"))
    assert opened == [Woken(90, 1, "computer"), start, partial(90, "what")]
    assert gate.pass_on(Pause(100, 1)) == [Pause(100, 1)]
    assert gate.pass_on(final(120, "Computer, what time?")) == [final(120, "what time?")]
    assert gate.pass_on(SpeechStarted(500, 2)) == [SpeechStarted(500, 2)]
    assert gate.pass_on(final(600, "Thanks.")) == [final(600, "Thanks.")]
    assert gate.pass_on(SpeechStarted(1_700, 3)) == []


def test_the_gate_can_be_opened_by_hand():
    gate = WakeGate(("computer",), awake_s=10.0, rate_hz=100)
    assert gate.pass_on(SpeechStarted(0, 1)) == []
    assert gate.wake(90) == [SpeechStarted(0, 1)]
    assert gate.wake(95) == []
    assert gate.pass_on(final(90, "What time?")) == [final(90, "What time?")]


def test_without_wake_words_all_is_told():
    event = SpeechStarted(0, 1)
    assert WakeGate((), 1.0, 100).pass_on(event) == [event]


def test_a_wake_word_needs_letters():
    with pytest.raises(InputError, match="wake word"):
        WakeGate(("hey", "!?"), 1.0, 100)

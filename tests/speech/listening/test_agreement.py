import pytest

from mien.speech.listening.agreement import Agreement
from mien.speech.listening.backchannel import is_backchannel
from mien.speech.listening.events import Word


def words(text: str) -> tuple[Word, ...]:
    return tuple(Word(f" {part}", 100 * i, 100 * i + 90, 1.0) for i, part in enumerate(text.split()))


def shown(agreement: Agreement, text: str) -> tuple[str, int]:
    out = agreement.push(words(text))
    return "".join(word.text for word in out).strip(), len(agreement.stable)


def test_two_passes_make_a_word_stable():
    agreement = Agreement()
    assert shown(agreement, "It was") == ("It was", 0)
    assert shown(agreement, "it was, the best") == ("it was, the best", 2)
    assert shown(agreement, "It was the beast of") == ("it was, the beast of", 3)


def test_a_stable_word_is_shown_as_it_was():
    agreement = Agreement()
    for text in ("one two", "one two", "won two three"):
        last = shown(agreement, text)
    assert last == ("one two three", 2)
    assert agreement.revised(words("one too three")) == 1
    assert agreement.revised(words("one two three")) == 0


@pytest.mark.parametrize("text", ["Mm-hm.", "yeah", "Uh-huh", "Okay, okay.", "嗯", "好的。", "Oh yes."])
def test_a_nod_in_words_is_a_backchannel(text):
    assert is_backchannel(words(text), 1_000)


@pytest.mark.parametrize("text", ["", "no", "wait", "yes but I meant Tuesday", "stop", "yeah yeah yeah yeah"])
def test_what_wants_the_turn_is_none(text):
    assert not is_backchannel(words(text), 1_000)


def test_a_long_one_is_none():
    assert not is_backchannel((Word("yes", 0, 2_000, 1.0),), 1_000)

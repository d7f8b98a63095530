import numpy as np
import pytest

from mien import packs
from mien.speech.listening.whisper import vocabulary
from mien.speech.listening.whisper.decoding import Decoded
from mien.speech.listening.whisper.words import grouped, timed

WORDS = vocabulary.read(packs.path("whisper-tiny-en") / "tokenizer.json")


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        (" Hello, world!", "en", [" Hello,", " world!"]),
        (" It's unbelievable...", "en", [" It's", " unbelievable..."]),
        ("你好，世界。", "zh", ["你", "好，", "世", "界。"]),
        (" «Oui», dit-il.", "fr", [" «Oui»,", " dit-il."]),
        ("", "en", []),
    ],
)
def test_tokens_become_words(text, language, words):
    groups = grouped(WORDS.tokens(text), WORDS, language)
    assert [WORDS.text(group) for group in groups] == words
    assert [token for group in groups for token in group] == WORDS.tokens(text)


def looked(*states: tuple[int, int], length: int = 100) -> np.ndarray:
    looks = np.full((2, len(states), length), 0.01, np.float32)
    for token, (start, end) in enumerate(states):
        looks[:, token, start:end] = 0.5
    return looks


def decoded(text: str, looks: np.ndarray) -> Decoded:
    tokens = tuple(WORDS.tokens(text))
    return Decoded(tokens, np.zeros(len(tokens), np.float32), 0.0, "en", looks, 0, False, text)


def test_words_lie_where_the_heads_looked():
    words = timed(decoded(" yes no", looked((0, 30), (60, 90))), WORDS, 100 * 320)
    assert [word.text for word in words] == [" yes", " no"]
    assert 30 * 320 <= words[0].end <= 60 * 320
    assert words[1].start == words[0].end
    assert words[1].end == 100 * 320


def test_nothing_lies_behind_the_sound():
    words = timed(decoded(" yes no", looked((0, 30), (60, 90))), WORDS, 40 * 320)
    assert all(word.end <= 40 * 320 for word in words)


def test_more_tokens_than_states_are_spread():
    words = timed(decoded(" one two three four five", looked(*[(0, 1)] * 5, length=2)), WORDS, 640)
    assert [word.start for word in words] == sorted(word.start for word in words)

import itertools

import numpy as np
import pytest

from mien.errors import InputError
from mien.speech.listening.recogniser import Recogniser, Speaking

FIRST = slice(round(0.92 * 16_000), round(4.74 * 16_000))


def test_words_come_with_their_times(tiny, at_16k):
    heard = Recogniser(tiny, Speaking()).hear(at_16k.samples[FIRST], last=True)
    assert heard.text == "It was the best of times, it was the worst of times."
    assert [word.text for word in heard.words][4:7] == [" of", " times,", " it"]
    starts = [word.start / 16_000 for word in heard.words]
    assert starts == sorted(starts)
    assert all(one.end <= other.start for one, other in itertools.pairwise(heard.words))
    best, second_it = starts[3], starts[6]
    assert 0.8 < best < 1.3  # heard in the recording
    assert 1.9 < second_it < 2.4
    assert all(0.2 < word.confidence <= 1.0 for word in heard.words)


@pytest.mark.parametrize("level", [0.0, 0.001, 0.01])
def test_where_nobody_speaks_nothing_is_written(tiny, level):
    noise = (level * np.random.default_rng(2).standard_normal(24_000)).astype(np.float32)
    assert Recogniser(tiny, Speaking()).hear(noise, last=True).words == ()


def test_the_full_window_hears_the_same(tiny, at_16k):
    sound = at_16k.samples[FIRST]
    full = Recogniser(tiny, Speaking(window_s=30.0)).hear(sound)
    assert full.text == Recogniser(tiny, Speaking()).hear(sound).text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"model": "tny.en"}, "did you mean 'tiny.en'"),
        ({"window_s": 31.0}, "window of 31.0 s"),
    ],
)
def test_what_can_not_be_listened_for(wrong, said):
    with pytest.raises(InputError, match=said):
        Speaking(**wrong)


@pytest.mark.parametrize("speaking", [Speaking("zh", model="tiny.en"), Speaking(expect=("",)), Speaking("")])
def test_what_a_model_can_not_do_is_told_when_it_is_loaded(tiny, speaking):
    with pytest.raises(InputError):
        Recogniser(tiny, speaking)


def test_a_language_finds_its_model():
    assert Speaking("en").name == "tiny.en"
    assert Speaking("zh").name == Speaking("auto").name == "base"

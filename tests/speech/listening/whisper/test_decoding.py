import threading

import numpy as np
import pytest

from mien.engine.stop import Stop, Stopped
from mien.speech.listening.whisper.boost import Boost
from mien.speech.listening.whisper.decoding import Request, decode, repeated, squeezed

SECOND = slice(round(4.72 * 16_000), round(6.4 * 16_000))
THIRD = slice(round(6.53 * 16_000), round(8.38 * 16_000))


def test_what_was_said_is_written(tiny, at_16k):
    decoded = decode(tiny, at_16k.samples[SECOND], Request(1.0))
    assert decoded.text == " It was the age of wisdom."
    assert decoded.is_sane
    assert not decoded.is_silence


@pytest.mark.parametrize("wrong_at", [0, 3, 99])
def test_a_draft_changes_nothing_but_the_time(tiny, at_16k, wrong_at):
    sound = at_16k.samples[SECOND]
    plain = decode(tiny, sound, Request(1.0))
    draft = list(plain.tokens)
    draft[wrong_at:wrong_at] = [11, 11]
    helped = decode(tiny, sound, Request(1.0, draft=tuple(draft)))
    assert helped.tokens == plain.tokens
    assert helped.accepted == min(wrong_at, len(plain.tokens))
    np.testing.assert_allclose(helped.looks, plain.looks, atol=0.02)
    np.testing.assert_allclose(helped.logprobs, plain.logprobs, atol=0.02)


def test_words_that_are_expected_win(tiny, at_16k):
    sound = at_16k.samples[THIRD]
    boost = Boost.of(["Age of Foolishness"], tiny.vocabulary)
    assert decode(tiny, sound, Request(1.0)).text == " It was the age of foolishness."
    assert decode(tiny, sound, Request(1.0, boost=boost)).text == " It was the Age of Foolishness."


def test_noise_is_silence(tiny):
    noise = (0.003 * np.random.default_rng(1).standard_normal(16_000)).astype(np.float32)
    assert decode(tiny, noise, Request(1.0)).is_silence


def test_it_stops_when_it_is_told(tiny, at_16k):
    stop = Stop()
    threading.Timer(0.01, stop.set).start()
    with pytest.raises(Stopped):
        decode(tiny, at_16k.samples, Request(30.0), stop)


def test_more_than_30_s_is_a_mistake(tiny):
    with pytest.raises(ValueError, match=r"31\.0 s"):
        decode(tiny, np.zeros(31 * 16_000, np.float32), Request(1.0))


@pytest.mark.parametrize(
    ("tokens", "again"),
    [([], 0), ([1, 2, 3], 0), ([5] * 6, 0), ([5] * 7, 6), ([9, *[1, 2] * 4], 6), ([1, 2] * 3, 0)],
)
def test_loops_are_seen(tokens, again):
    assert repeated(tokens) == again


def test_repetition_is_squeezed():
    assert squeezed("so it goes, " * 20) > 2.4 > squeezed("It was the age of wisdom.")
    assert squeezed("") == 1.0

import asyncio

import numpy as np

from mien.speech.listening import Final, Options, Speaking, TurnOptions
from mien.speech.listening.activity import HOP
from mien.speech.listening.playback import play
from mien.speech.listening.recogniser import Recogniser
from mien.speech.listening.utterance import quietest


def test_a_cut_is_made_where_it_is_quietest():
    likely = [1.0] * 400
    likely[300:305] = [0.2] * 5
    assert quietest(likely, end=400 * HOP) == 302 * HOP
    likely[20] = 0.0  # too long ago
    assert quietest(likely, end=400 * HOP) == 302 * HOP


def test_a_turn_longer_than_the_window_keeps_its_words(models, recording):
    """Four clauses without a pause that would end the turn: 24 s, settled in parts."""
    sound = recording.cut(round(18.9 * recording.rate_hz), round(42 * recording.rate_hz))
    options = Options(turn=TurnOptions("silence", silence_s=2.0))

    async def listen() -> list[Final]:
        return [event async for event, _ in play(models, sound, options) if isinstance(event, Final)]

    (final,) = asyncio.run(listen())
    assert final.text.lower().startswith("it was the winter of despair")
    assert final.text.endswith("in the superlative degree of comparison only.")
    assert 48 <= len(final.words) <= 66
    starts = [word.start for word in final.words]
    assert starts == sorted(starts)


def test_a_recogniser_takes_any_short_sound(tiny):
    ear = Recogniser(tiny, Speaking())
    for length in (0, 1, 300):
        assert ear.hear(np.zeros(length, np.float32), last=True).words == ()

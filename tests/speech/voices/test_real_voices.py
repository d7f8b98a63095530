"""The packs' own voices, where they are installed."""

import asyncio

import numpy as np
import pytest

from mien.errors import MissingError
from mien.speech import voices
from mien.speech.breath import Breath, Piece
from mien.speech.voices import piper


def loaded(table):
    try:
        return voices.load(table)
    except MissingError as error:
        pytest.skip(str(error))


def spoken(voice, *pieces):
    async def collect():
        return [chunk async for chunk in voice.speak(Breath(pieces))]

    return asyncio.run(collect())


def sound(chunks):
    return np.concatenate([chunk.pcm.samples for chunk in chunks])


def symbols(chunks):
    return [phone.symbol for chunk in chunks for phone in chunk.phones if phone.symbol]


def test_joe_streams_what_he_would_say_whole(monkeypatch):
    joe = loaded({"kind": "piper", "name": "joe"})
    streamed = spoken(joe, Piece("Good morning, may I help you?"))
    monkeypatch.setattr(piper, "window_frames", lambda: iter([100_000]))
    whole = spoken(joe, Piece("Good morning, may I help you?"))
    assert len(streamed) > 2
    assert len(whole) == 1
    np.testing.assert_allclose(sound(streamed), sound(whole), atol=1e-5)
    assert symbols(streamed)[-3:] == ["p", "j", "uː"]


def test_joe_begins_at_once():
    joe = loaded({"kind": "piper", "name": "joe"})
    for text in ("I am your digital human.", "Well, of course.", "Yes."):
        chunks = spoken(joe, Piece(text))
        assert chunks[0].phones[0].symbol, "the model's own silence comes first"
        said = np.abs(sound(chunks))
        assert np.argmax(said > said.max() / 100) < 0.03 * joe.rate_hz


def test_xiaoxiao_speaks_both_languages():
    xiaoxiao = loaded({"kind": "kokoro", "name": "zf_xiaoxiao"})
    chunks = spoken(xiaoxiao, Piece("你好", "zh"), Piece("bank", "en"))
    assert {"x", "aʊ", "b", "k"} <= set(symbols(chunks))
    last = chunks[-1].phones[-1]
    assert last.symbol == ""
    assert last.end == len(sound(chunks))
    assert 0.5 < len(sound(chunks)) / xiaoxiao.rate_hz < 2.5

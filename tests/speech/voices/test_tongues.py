import asyncio

import numpy as np
import pytest

from mien.audio import Pcm
from mien.persona import Persona, spec
from mien.speech.breath import Breath, Piece, Prosody
from mien.speech.voice import SpeechChunk
from mien.speech.voices.tongues import Tongue, Tongues


class Heard:
    """A second of silence a breath, and what it was given."""

    def __init__(self, rate_hz, *languages):
        self.rate_hz, self.languages, self.given = rate_hz, frozenset(languages), []

    async def speak(self, breath):
        self.given.append(breath)
        yield SpeechChunk(Pcm(np.zeros(self.rate_hz, np.float32), self.rate_hz), 0)


def said(voice, *pieces):
    async def take():
        breath = Breath(tuple(Piece("x", language) for language in pieces), prosody=Prosody(volume=1.0))
        return [chunk.pcm async for chunk in voice.speak(breath)]

    return asyncio.run(take())


@pytest.fixture
def both():
    own, other = Heard(24_000, "en"), Heard(22_050, "zh", "en")
    return own, other, Tongues(own, {"zh": Tongue(other, -3.0)})


@pytest.mark.parametrize(
    ("pieces", "speaks"), [(["en-us"], 0), (["zh"], 1), (["zh", "en"], 1), (["en", "zh"], 1), ([], 0)]
)
def test_each_language_has_its_voice(both, pieces, speaks):
    said(both[2], *pieces)
    assert [len(voice.given) for voice in both[:2]] == [1 - speaks, speaks]
    assert both[2].languages == {"en", "zh"}


def test_both_voices_are_at_one_rate_and_equally_loud(both):
    sound = said(both[2], "zh")
    assert {pcm.rate_hz for pcm in sound} == {24_000}
    assert sum(map(len, sound)) == pytest.approx(24_000, abs=2)
    assert both[1].given[0].prosody.volume == -2.0


def test_the_bank_s_receptionist_has_an_english_and_a_chinese_voice():
    """The real voices: in each language she sounds like the persona whose voice that is, and not alike."""

    async def speaks(persona, language, text):
        performance = await persona.performance()
        chunks = performance.chunks([Breath((Piece(text, language),))])
        return np.concatenate([chunk.pcm.samples async for chunk in chunks])

    bank, xiaoxiao = Persona.load("bank"), Persona.load("xiaoxiao")
    chinese = asyncio.run(speaks(bank, "zh", "你好"))
    np.testing.assert_allclose(chinese, asyncio.run(speaks(xiaoxiao, "zh", "你好")), atol=1e-3)
    english = asyncio.run(speaks(bank, "en", "Hello."))
    other = asyncio.run(speaks(xiaoxiao, "en", "Hello."))
    assert len(english) != len(other) or np.abs(english - other).max() > 0.05
    assert spec.read("bank").voice["name"].startswith(("a", "b")), "an English voice of Kokoro's"

import asyncio
from contextlib import aclosing
from dataclasses import replace

import numpy as np
import pytest

from mien.audio import Pcm
from mien.face.feeling import Emotion
from mien.face.phone import Phone
from mien.speech.breath import Breath, Piece, Prosody
from mien.speech.voice import Mark, SpeechChunk
from mien.speech.voices.remembered import RememberedVoice


class Counting:
    """Two chunks of a tone a breath, and how often it spoke."""

    rate_hz, languages = 8_000, frozenset({"en"})

    def __init__(self, seconds=0.5):
        self.spoke, self.seconds = [], seconds

    async def speak(self, breath):
        self.spoke.append(breath.text)
        count = round(self.seconds * self.rate_hz)
        sound = np.sin(np.arange(count) * len(breath.text) / 9).astype(np.float32)
        yield SpeechChunk(Pcm(sound, 8_000), 0, (Phone("a", 0, count, 2),))
        yield SpeechChunk(Pcm(-sound, 8_000), count, (Phone("", count, 2 * count),), (Mark("m", count, 0.5),))


def breath(text, **more):
    return Breath((Piece(text),), **more)


def said(voice, spoken):
    async def take():
        return [chunk async for chunk in voice.speak(spoken)]

    return asyncio.run(take())


def same(one, other):
    return all(
        (a.start, a.phones, a.marks) == (b.start, b.phones, b.marks)
        and np.array_equal(a.pcm.samples, b.pcm.samples)
        for a, b in zip(one, other, strict=True)
    )


def test_what_was_said_is_not_computed_again():
    voice = RememberedVoice(Counting())
    first = said(voice, breath("good morning"))
    again = said(voice, breath("good morning", pause_s=0.4, emotion=Emotion("happy")))
    assert same(first, again)
    assert voice.voice.spoke == ["good morning"]


def test_another_prosody_is_another_sound():
    voice = RememberedVoice(Counting())
    said(voice, breath("hello"))
    said(voice, breath("hello", prosody=Prosody(rate=1.2)))
    assert len(voice.voice.spoke) == 2


def test_a_breath_that_was_cut_is_not_remembered():
    voice = RememberedVoice(Counting())

    async def cut():
        async with aclosing(voice.speak(breath("hello"))) as chunks:
            await anext(chunks)

    asyncio.run(cut())
    said(voice, breath("hello"))
    assert len(voice.voice.spoke) == 2


def test_memory_is_bounded_and_drops_what_was_not_used_for_longest():
    voice = RememberedVoice(Counting(), most_s=2.5)
    for text in ("one", "two", "one", "three"):
        said(voice, breath(text))
    assert voice.held_s == pytest.approx(2.0)
    said(voice, breath("one"))
    assert voice.voice.spoke == ["one", "two", "three"]


def test_long_breaths_are_not_held():
    voice = RememberedVoice(Counting(seconds=5.0))
    said(voice, breath("long"))
    assert voice.held_s == 0.0


def test_prepared_breaths_last_for_the_next_process(tmp_path):
    spoken = breath("welcome")
    first = RememberedVoice(Counting(), tmp_path / "voice")
    asyncio.run(first.prepare(spoken))
    second = RememberedVoice(Counting(), tmp_path / "voice")
    asyncio.run(second.prepare(spoken))
    assert second.voice.spoke == []
    assert same(said(first, spoken), said(second, spoken))


def test_a_damaged_file_is_spoken_anew(tmp_path):
    asyncio.run(RememberedVoice(Counting(), tmp_path).prepare(breath("welcome")))
    (file,) = tmp_path.glob("*.npz")
    file.write_bytes(file.read_bytes()[:100])
    voice = RememberedVoice(Counting(), tmp_path)
    asyncio.run(voice.prepare(breath("welcome")))
    assert voice.voice.spoke == ["welcome"]


def test_what_others_said_is_never_written(tmp_path):
    voice = RememberedVoice(Counting(), tmp_path)
    said(voice, breath("my number is 4711"))
    assert list(tmp_path.iterdir()) == []


def test_a_breath_with_emphasis_or_phonemes_is_its_own():
    voice = RememberedVoice(Counting())
    plain = breath("read")
    said(voice, plain)
    said(voice, replace(plain, pieces=(Piece("read", phonemes="rɛd"),)))
    assert len(voice.voice.spoke) == 2

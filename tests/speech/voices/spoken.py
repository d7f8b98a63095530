"""Real speech for tests, from the built-in voice, and how far two timings of it lie apart."""

import asyncio
import difflib
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.errors import MissingError
from mien.face.phone import Phone
from mien.speech import voices
from mien.speech.breath import Breath, Piece, Prosody
from mien.speech.voice import Voice

WORDS = "Please remember my number,", "and maybe bring back the paper by five."


def joe() -> Voice:
    try:
        return voices.load({"kind": "piper", "name": "joe"})
    except MissingError as error:
        pytest.skip(str(error))


def breaths(*words: str) -> list[Breath]:
    return [Breath((Piece(text),)) for text in words]


async def gather(voice: Voice, said: Sequence[Breath]) -> tuple[Pcm, list[Phone]]:
    sounds, phones, at = [], [], 0
    for breath in said:
        async for chunk in voice.speak(breath):
            phones += [phone.shifted(at) for phone in chunk.phones]
            sounds.append(chunk.pcm)
        at = sum(map(len, sounds))
    return Pcm.join(sounds, voice.rate_hz), phones


@cache
def speech(rate: float) -> tuple[Pcm, list[Phone]]:
    said = [Breath((Piece(text),), prosody=Prosody(rate=rate)) for text in WORDS]
    return asyncio.run(gather(joe(), said))


def errors_ms(got: Sequence[Phone], want: Sequence[Phone], rate_hz: int) -> np.ndarray:
    """Return how far each phone that both have begins from where it should."""
    ours, theirs = ([p for p in phones if p.symbol] for phones in (got, want))
    matcher = difflib.SequenceMatcher(None, [p.symbol for p in ours], [p.symbol for p in theirs], False)
    pairs = [(a + k, b + k) for a, b, size in matcher.get_matching_blocks() for k in range(size)]
    return np.array([abs(ours[a].start - theirs[b].start) / rate_hz * 1000 for a, b in pairs])

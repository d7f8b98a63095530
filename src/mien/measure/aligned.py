"""The phones of a film's sound, from its text: a built-in voice speaks it, and time is warped to match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing

from mien.audio.pcm import Pcm
from mien.errors import InputError, MissingError, nearest
from mien.face.phone import Phone
from mien.measure.phones import Heard
from mien.speech.breath import Breath
from mien.speech.voice import Voice


def aligner(text: str, language: str) -> Callable[[Pcm], Heard]:
    """Return what finds the phones of `text` in a film's sound.

    Raises `InputError` for a language without a built-in voice or a text without words, `MissingError` when
    no voice of the language is installed; what it returns raises `InputError` when the words do not fit.
    """
    from mien.speech.text import breaths
    from mien.speech.voices import references

    if language not in references.LANGUAGES:
        raise InputError(f"no voice to align {language!r} with{nearest(language, references.LANGUAGES)}")
    spoken = [breath for breath in breaths(text, language=language) if breath.pieces]
    if not spoken:
        raise InputError("--text has no words")
    reader = references.find(language)
    if reader is None:
        raise MissingError(f"no voice of {language!r} is installed; run: mien packs pull voice-joe kokoro")
    return lambda recording: asyncio.run(find(recording, spoken, reader))


async def find(recording: Pcm, spoken: Sequence[Breath], reader: Voice) -> Heard:
    """Return the phones of the breaths in a recording that starts at the film's time 0."""
    from mien.speech.voices.recorded import RecordedVoice

    voice, phones, at = RecordedVoice(recording, reader), list[Phone](), 0
    for breath in await voice.script(spoken):
        async with aclosing(voice.speak(breath)) as chunks:
            async for chunk in chunks:
                phones += [phone.shifted(at) for phone in chunk.phones]
                at += len(chunk.pcm)
    return Heard(phones, voice.rate_hz)

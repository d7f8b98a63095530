"""The phones of a film's sound, from its text: a built-in voice speaks it, and time is warped to match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from mien.audio.pcm import Pcm
from mien.errors import InputError, nearest
from mien.face.phone import Phone
from mien.measure.phones import Heard
from mien.speech.breath import Breath
from mien.speech.voice import Voice

# Who reads the text: the smallest voice that speaks the language.
READERS: Mapping[str, Mapping[str, str]] = {
    "en": {"kind": "piper", "name": "joe"},
    "zh": {"kind": "kokoro", "name": "zf_xiaoxiao"},
}


def aligner(text: str, language: str) -> Callable[[Pcm], Heard]:
    """Return what finds the phones of `text` in a film's sound.

    Raises `InputError` for a language without a built-in voice or a text without words, `MissingError` when
    the voice's pack is not installed.
    """
    from mien.speech.text import breaths
    from mien.speech.voices.registry import load

    if language not in READERS:
        raise InputError(f"no voice to align {language!r} with{nearest(language, READERS)}")
    spoken = [breath for breath in breaths(text, language=language) if breath.pieces]
    if not spoken:
        raise InputError("--text has no words")
    voice = load(READERS[language])
    return lambda recording: find(recording, *asyncio.run(read(voice, spoken)))


async def read(voice: Voice, spoken: Iterable[Breath]) -> tuple[Pcm, list[Phone]]:
    """Return the sound of the breaths, each with its pause, and all their phones."""
    sound: list[Pcm] = []
    phones: list[Phone] = []
    for breath in spoken:
        start = sum(map(len, sound))
        async for chunk in voice.speak(breath):
            sound.append(chunk.pcm)
            phones += [phone.shifted(start) for phone in chunk.phones]
        sound.append(Pcm.silence(breath.pause_s, voice.rate_hz))
    return Pcm.join(sound, voice.rate_hz), phones


def find(recording: Pcm, reference: Pcm, phones: list[Phone]) -> Heard:
    """Carry the reference's phones over to the recording, samples of the recording's rate."""
    from mien.speech.voices.alignment import align, carry

    matched = align(recording, reference)
    return Heard(carry(phones, reference.rate_hz, matched, recording.rate_hz), recording.rate_hz)

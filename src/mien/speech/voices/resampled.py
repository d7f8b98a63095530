"""A voice on another clock than its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from mien.audio.pcm import Pcm
from mien.audio.resample import Resampler
from mien.speech.breath import Breath
from mien.speech.voice import SpeechChunk, Voice


def speak_at(voice: Voice, breath: Breath, rate_hz: int) -> AsyncGenerator[SpeechChunk, None]:
    """Speak a breath on a clock of `rate_hz`; raises what the voice raises."""
    return voice.speak(breath) if voice.rate_hz == rate_hz else _resampled(voice, breath, rate_hz)


async def _resampled(voice: Voice, breath: Breath, rate_hz: int) -> AsyncGenerator[SpeechChunk, None]:
    resampler, ratio, start = Resampler(voice.rate_hz, rate_hz), rate_hz / voice.rate_hz, 0
    async with aclosing(voice.speak(breath)) as stream:
        async for chunk in stream:
            pcm = Pcm(resampler.push(chunk.pcm.samples), rate_hz)
            phones = tuple(
                replace(p, start=round(p.start * ratio), end=round(p.end * ratio)) for p in chunk.phones
            )
            marks = tuple(replace(m, sample=round(m.sample * ratio)) for m in chunk.marks)
            yield SpeechChunk(pcm, start, phones, marks)
            start += len(pcm)
    rest = Pcm(resampler.finish(), rate_hz)
    if len(rest):
        yield SpeechChunk(rest, start)

"""How fast a voice is: first sound, real-time factor, where the best and the median of several runs lie."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from mien.speech.breath import Breath, Piece
from mien.speech.voice import Voice

TEXTS = {
    "en": "Hello, I am your digital human. How may I help you today?",
    "zh": "你好，欢迎来到银行。请问需要办理什么业务？",
}


@dataclass(frozen=True, slots=True)
class Run:
    """One breath spoken: seconds to the first chunk, to the last, and of speech."""

    first_s: float
    total_s: float
    speech_s: float


@dataclass(frozen=True, slots=True)
class VoiceTimes:
    """What several runs of the same breath took; a run's real-time factor is its time over its speech."""

    runs: tuple[Run, ...]

    @property
    def speech_s(self) -> float:
        """Length of the speech, seconds."""
        return self.runs[0].speech_s

    @property
    def first_ms(self) -> tuple[float, float]:
        """Best and median time to the first sound, ms."""
        return _best_and_median([1e3 * run.first_s for run in self.runs])

    @property
    def real_time_factor(self) -> tuple[float, float]:
        """Best and median real-time factor."""
        return _best_and_median([run.total_s / run.speech_s for run in self.runs])


async def measure(voice: Voice, breath: Breath, runs: int = 5) -> VoiceTimes:
    """Speak `breath` once to warm up, then `runs` times against the clock."""
    await spoken(voice, breath)
    return VoiceTimes(tuple([await spoken(voice, breath) for _ in range(runs)]))


def measure_sync(voice: Voice, language: str = "en", runs: int = 5) -> VoiceTimes:
    """Do what `measure` does with the text of `TEXTS` in `language`, without an event loop."""
    return asyncio.run(measure(voice, Breath((Piece(TEXTS[language], language),)), runs))


async def spoken(voice: Voice, breath: Breath) -> Run:
    """Speak `breath` once against the clock."""
    began, first, samples = time.perf_counter(), 0.0, 0
    async with aclosing(voice.speak(breath)) as chunks:
        async for chunk in chunks:
            first = first or time.perf_counter() - began
            samples += len(chunk.pcm)
    return Run(first, time.perf_counter() - began, samples / voice.rate_hz)


def _best_and_median(values: Sequence[float]) -> tuple[float, float]:
    return min(values), statistics.median(values)

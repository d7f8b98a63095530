"""Voices and films: the first sound, the real-time factor, and where a film's time goes."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Final

import numpy as np

from mien.bench.say import AUDIBLE
from mien.bench.timed.budget import Budget, Sample, Taken, in_turn
from mien.bench.timed.plots import Front, Shares
from mien.bench.timed.result import Result
from mien.bench.voice import TEXTS, Run, spoken
from mien.errors import MissingError
from mien.persona import Film, Persona
from mien.progress import Progress
from mien.speech.breath import Breath, Piece
from mien.speech.voice import Voice
from mien.speech.voices import load

TEXT: Final = "Good morning. I am glad that you are here."
KOKORO_S: Final = 20.0  # below it only the quick voice is measured
QUICK: Final = "Piper, English"
VOICES: Final = {
    "Piper, English": ({"kind": "piper", "name": "joe"}, "en"),
    "Kokoro, English": ({"kind": "kokoro", "name": "af_heart"}, "en"),
    "Kokoro, Mandarin": ({"kind": "kokoro", "name": "zf_xiaoxiao"}, "zh"),
}


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Speak with each voice in turn, answer as a stream does, and make short films."""
    tell("loading the voices", 0.0)
    runs: dict[str, list[Run]] = {}
    voices = _voices(result, VOICES if budget.seconds >= KOKORO_S else [QUICK])
    calls = {
        name: _speaking(voice, language, runs.setdefault(name, []))
        for name, (voice, language) in voices.items()
    }
    calls |= {"stream": _stream(Persona.load("joe"))}
    tell("voices", 0.1)
    taken = in_turn(calls, budget.part(0.6))
    for name in voices:
        result.add(f"{name}: first sound", "ms", taken[name], group="First sound of a breath")
    heard = "a stream of joe: first audible sample"
    result.add(heard, "ms", taken["stream"], group="First sound of a breath")
    for name, spoke in runs.items():
        factors = [each.total_s / each.speech_s for each in spoke]
        result.add(f"{name}: real-time factor", "", Taken(factors[1:], factors[:1]), group="Real-time factor")
    result.plots.append(_front(runs))
    _films(budget, result, tell)


def _voices(result: Result, names: Iterable[str]) -> dict[str, tuple[Voice, str]]:
    if (slow := len(VOICES) - len(list(names))) > 0:
        result.notes.append(f"{slow} voices are left out: they need {KOKORO_S:g} s at least")
    made = {}
    for name in names:
        table, language = VOICES[name]
        try:
            made[name] = load(table), language
        except MissingError as error:
            result.notes.append(f"{name} is left out: {error}")
    return made


def _speaking(voice: Voice, language: str, runs: list[Run]) -> Sample:
    breath = Breath((Piece(TEXTS[language], language),))

    def sample() -> float:
        runs.append(asyncio.run(spoken(voice, breath)))
        return 1e3 * runs[-1].first_s

    return sample


def _stream(persona: Persona) -> Sample:
    """Return a call that gives the milliseconds until something can be heard."""

    async def first() -> float:
        began = time.perf_counter()
        async with aclosing(persona.stream(TEXT)) as chunks:
            chunk = await anext(chunks)
        took_s = time.perf_counter() - began
        loud = np.flatnonzero(np.abs(chunk.pcm.samples) > AUDIBLE)
        return 1e3 * (took_s + (loud[0] if len(loud) else len(chunk.pcm)) / chunk.pcm.rate_hz)

    return lambda: asyncio.run(first())


def _front(runs: dict[str, list[Run]]) -> Front:
    points = [
        (
            name,
            1e3 * float(np.median([each.first_s for each in spoke])),
            float(np.median([each.total_s / each.speech_s for each in spoke])),
        )
        for name, spoke in runs.items()
    ]
    return Front("Voices", "first sound, ms", "real-time factor", tuple(points))


def _films(budget: Budget, result: Result, tell: Progress) -> None:
    """Make films until the time is over; the first one, which loads all there is, is its own warm-up."""
    tell("films", 0.6)
    stages: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="mien-bench-") as folder:
        film = _film(Path(folder) / "film.mp4", stages)
        taken = in_turn({"film": film}, budget)["film"]
    result.add("film of 512x512 at 30 fps: time / speech", "", taken, group="A film's time over its speech")
    later = stages[1:]
    shares = {stage: float(np.median([each[stage] for each in later])) for stage in later[0]}
    result.plots.append(
        Shares("A second of a film (encoding goes on beside the rest)", "s", {"film": shares})
    )


def _film(path: Path, stages: list[dict[str, float]]) -> Callable[[], float]:
    persona = Persona.load("joe")

    def sample() -> float:
        said = persona.say_sync(TEXT, to=path, film=Film((512, 512)))
        stages.append({name: seconds / said.speech_s for name, seconds in said.spent_s.items()})
        return said.took_s / said.speech_s

    return sample

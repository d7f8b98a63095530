"""The process that makes one film: `Work` as JSON comes in, progress as lines of JSON goes out.

Run as `python -m mien.serve.videos.worker`. The last line holds `seconds`, or `error` with its `status`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from mien.errors import InputError, MienError
from mien.face.feeling import Emotion
from mien.face.pose import ARKIT_NAMES, FaceTrack
from mien.persona import Chunk, Film, Persona
from mien.persona.making import make
from mien.persona.outputs import Setting
from mien.persona.performance import Performance
from mien.persona.persona import LEAD_IN_S
from mien.serve.videos.request import Work
from mien.speech.breath import Breath
from mien.speech.text import breaths

NICE = 10  # who talks comes first
_LIPS = [i for i, name in enumerate(ARKIT_NAMES) if name.startswith(("jaw", "mouth", "tongue"))]


@dataclass(slots=True)
class Limited(Performance):
    """A performance that may not last longer than `longest_s`, with or without moving lips."""

    longest_s: float = 0.0
    lip_sync: bool = True

    async def chunks(self, breaths: Iterable[Breath] | AsyncIterable[Breath]) -> AsyncGenerator[Chunk, None]:
        """Yield the performance; raises `InputError` when it lasts too long."""
        async with aclosing(Performance.chunks(self, breaths)) as chunks:
            async for chunk in chunks:
                if (chunk.start + len(chunk.pcm)) / chunk.pcm.rate_hz - self.lead_in_s > self.longest_s:
                    raise InputError(
                        f"the text lasts over {self.longest_s:g} s; shorten it or raise max_duration_ms"
                    )
                yield chunk if self.lip_sync else replace(chunk, face=_still(chunk.face))


def _still(face: FaceTrack) -> FaceTrack:
    weights = face.weights.copy()
    weights[:, _LIPS] = 0.0
    return replace(face, weights=weights)


async def film(work: Work) -> float:
    """Make the film; return its seconds of speech."""
    persona = Persona.load(work.persona)
    spec = persona.spec
    _tell(what="loading", share=0.0)
    own = await persona.performance(work.text, Emotion(work.emotion) if work.emotion != "neutral" else None)
    performance = Limited(
        own.voice, own.animator, lead_in_s=LEAD_IN_S, longest_s=work.longest_s, lip_sync=work.lip_sync
    )
    look = Film(work.size, Fraction(work.fps), spec.background)
    setting = Setting(spec.avatar, own.voice.rate_hz, look, lambda what, share: _tell(what=what, share=share))
    spoken = list(breaths(work.text, language=spec.language, lexicon=spec.lexicon))
    return (await make(performance, spoken, [Path(work.file)], setting, time.perf_counter())).speech_s


def _tell(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Do the work that standard input holds."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        _tell(seconds=asyncio.run(film(Work.model_validate_json(sys.stdin.read()))))
    except InputError as error:
        _tell(error=str(error), status=422)
    except MienError as error:
        _tell(error=str(error), status=500)


if __name__ == "__main__":
    main()

"""From the last word to the answer: a caller of a real server, with a recorded voice, in real time."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Final

import numpy as np

from mien.bench import load
from mien.bench.caller import Caller, Noted, Spoken
from mien.bench.recordings import from_pack
from mien.bench.timed.budget import Budget, Taken
from mien.bench.timed.plots import Waterfall
from mien.bench.timed.result import Result
from mien.errors import ResourceError, require
from mien.live.waterfall import STAGES
from mien.progress import Progress
from mien.speech.listening import Models, Speaking
from mien.speech.listening.activity import SileroVad

PERSONA: Final = "joe"
_TURN_S: Final = 7.0  # about what an utterance, its answer and the pause take
_ENDING_S: Final = 3.0  # in which the server ends


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Start a server, and say one thing after the other until the time is over."""
    tell("recordings", 0.0)
    models = Models.load(Speaking("en"))
    spoken = from_pack(models)
    models.close()
    vad = SileroVad.load()
    known = [load.spoken_of(utterance, vad) for utterance in spoken]
    random.Random(0).shuffle(known)
    tell("starting a server", 0.1)
    noted = Noted()
    try:
        with load.served(PERSONA, 1) as address:
            tell("talking", 0.2)
            asyncio.run(_called(address, known, budget, noted))
    except KeyboardInterrupt:
        if noted.answered:
            show(result, noted)
        raise
    show(result, noted)


async def _called(address: str, known: list[Spoken], budget: Budget, noted: Noted) -> None:
    """Talk for as long as there is time, two turns at least, and note it."""
    websockets = require("websockets", extra="serve")
    url = f"ws{address.removeprefix('http')}v1/realtime?model=mien&persona={PERSONA}"
    left_s = max(2 * _TURN_S, budget.left_s - _ENDING_S)
    turns = known * (1 + round(left_s / _TURN_S / len(known)))
    async with websockets.connect(url, max_size=None, compression=None) as socket:
        caller = Caller(socket)
        caller.noted = noted
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(left_s):
                await caller.talk(turns, interrupts=False, after_s=0.3)


def show(result: Result, noted: Noted) -> None:
    """Add the latency, its stages, and what went wrong; raises `ResourceError` without an answer."""
    if not noted.answered:
        raise ResourceError("the server did not answer within the time; give it more: --seconds 60")
    taken = Taken(noted.answered[1:] or noted.answered, noted.answered[:1])
    result.add("last voiced sample to first sound", "ms", taken, group="Answers, as the caller hears them")
    rows = noted.stages[1:] or noted.stages
    medians = {
        stage: float(np.median([row[stage] for row in rows if stage in row]))
        for stage in STAGES
        if any(stage in row for row in rows)
    }
    stages, at = [], 0.0
    for stage, until in sorted(medians.items(), key=lambda each: each[1]):
        stages.append((_NAMES[stage], at, max(0.0, until - at)))
        at = until
    if stages:
        result.plots.append(Waterfall("Where the time goes after the last voiced sample", tuple(stages)))
    for name, words in (
        ("underruns", "gaps"),
        ("faceless", "sound before its face"),
        ("silent", "no answer"),
    ):
        result.fact(words, float(getattr(noted, name)), f"of {len(noted.answered) + noted.silent}")
    result.notes += [f"the server says: {message}" for message in noted.errors[:3]]


_NAMES: Final = {
    "pause": "silence noticed",
    "words": "words known",
    "understanding": "answer begun",
    "breath": "first breath whole",
    "endpoint": "end of turn known",
    "sound": "sound with its face",
    "sent": "sent",
}

"""Many who talk to a server at once: how soon each is answered, and how fast an interruption stops it."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import numpy as np

from mien.audio.pcm import Pcm
from mien.audio.resample import resample
from mien.bench.caller import RATE_HZ, Caller, Noted, Spoken
from mien.bench.figures import Figures
from mien.bench.recordings import Utterance
from mien.errors import ResourceError, require
from mien.live.waterfall import STAGES
from mien.progress import Progress, silent
from mien.speech.listening.activity import HOP, SileroVad
from mien.speech.listening.activity import RATE_HZ as HEARD_HZ
from mien.speech.listening.error_rate import edits, units

_SPREAD_S = 0.7  # between one caller's first word and the next one's
_BEFORE_S = 0.1  # of silence that is kept before a voice
_ADDRESS = re.compile(r"http://\S+")


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is; `pid`: of its process, where that is known."""

    address: str
    pid: int | None = None


@contextmanager
def served(persona: str, sessions: int) -> Iterator[str]:
    """Run `mien serve` for as long as the block lasts; yield its address."""
    with serving(persona, sessions) as server:
        yield server.address


@contextmanager
def serving(persona: str, sessions: int) -> Iterator[Server]:
    """Run `mien serve` for as long as the block lasts."""
    command = [sys.executable, "-m", "mien", "serve", "--port", "0", "--persona", persona]
    command += ["--sessions", str(sessions)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := _ADDRESS.search(line):
                yield Server(found[0], process.pid)
                return
        raise ResourceError("mien serve ended before it was ready; run it by hand to see why")
    finally:
        process.terminate()
        process.wait(60)


def run(
    address: str,
    persona: str,
    spoken: Sequence[Utterance],
    sessions: int,
    turns: int,
    *,
    interrupts: bool = False,
    limit: bool = True,
    tell: Progress = silent,
) -> Figures:
    """Let `sessions` callers say `turns` utterances each; `limit`: one more is to be refused.

    `interrupts`: every utterance is said into the answer to the one before. Raises `ResourceError` when the
    server refuses a session that it should take.
    """
    vad = SileroVad.load()
    known = [spoken_of(utterance, vad) for utterance in spoken]
    url = session_url(address, persona)
    tell(f"{sessions} callers", 0.0)
    noted, refused = asyncio.run(_all(url, known, sessions, turns, interrupts=interrupts, limit=limit))
    return _figures(noted, refused if limit else None, sessions, alone=sessions == 1)


def session_url(address: str, persona: str) -> str:
    """Return where sessions with a persona are opened."""
    return f"ws{address.removeprefix('http')}v1/realtime?model=mien&persona={persona}"


def spoken_of(utterance: Utterance, vad: SileroVad) -> Spoken:
    """Return an utterance at the callers' rate, with where its voice begins and ends; it begins soon."""
    stream, sound = vad.fresh(), resample(utterance.pcm, HEARD_HZ).samples
    hops = [stream.probability(sound[at : at + HOP]) for at in range(0, len(sound) - HOP + 1, HOP)]
    voiced = np.flatnonzero(np.array(hops) >= 0.5)
    first, last = (int(voiced[0]), int(voiced[-1]) + 1) if len(voiced) else (0, len(hops))
    ratio = RATE_HZ / HEARD_HZ
    samples = resample(Pcm(sound, HEARD_HZ), RATE_HZ).samples
    places = (round(first * HOP * ratio), round(last * HOP * ratio))
    skipped = max(0, places[0] - round(_BEFORE_S * RATE_HZ))
    return Spoken(samples[skipped:], places[0] - skipped, places[1] - skipped, utterance.text)


async def _all(
    url: str, known: Sequence[Spoken], sessions: int, turns: int, *, interrupts: bool, limit: bool
) -> tuple[list[Noted], bool]:
    entered, refused = asyncio.Barrier(sessions + 1), False

    async def one(number: int) -> Noted:
        async with connected(url) as socket:
            await entered.wait()
            await asyncio.sleep(number * _SPREAD_S)
            caller = Caller(socket, number)
            mine = [known[(number * turns + i) % len(known)] for i in range(turns)]
            await caller.talk(mine, interrupts=interrupts)
            return caller.noted

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number)) for number in range(sessions)]
        await entered.wait()
        if limit:
            try:
                async with connected(url):
                    pass
            except ResourceError:
                refused = True
    return [task.result() for task in tasks], refused


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[object]:
    """Open a session for as long as the block lasts; raises `ResourceError` when it is refused."""
    websockets = require("websockets", extra="serve")
    try:
        async with websockets.connect(url, max_size=None, compression=None) as socket:
            yield socket
    except websockets.InvalidStatus as error:
        raise ResourceError(f"the server refuses a session: {error.response.status_code}") from None


def _figures(noted: Sequence[Noted], refused: bool | None, sessions: int, *, alone: bool) -> Figures:
    figures = Figures()
    p50, p95 = (300.0, 450.0) if alone else (None, 900.0)
    _spread(figures, "last voiced sample to first sound, at the client", noted, "answered", p50, p95)
    rows = [row for one in noted for row in one.stages]
    for stage in STAGES:
        reached = [row[stage] for row in rows if stage in row]
        figures.add(f"{stage}, median", float(np.median(reached)) if reached else None, "ms")
    if any(one.stopped for one in noted):
        name = "voice of an interruption to the last of the old answer"
        _spread(figures, name, noted, "stopped", None, 150.0)
        figures.add("interruptions", sum(len(one.stopped) for one in noted), "")
    answered = sum(len(one.answered) for one in noted)
    figures.add("sessions", sessions, "")
    figures.add("answers", answered, "")
    for name in ("underruns", "faceless", "stale", "silent"):
        figures.add(_NAMES[name], sum(getattr(one, name) for one in noted), "", "<=", 0.0)
    figures.add("errors", sum(len(one.errors) for one in noted), "", "<=", 0.0)
    heard = [pair for one in noted for pair in one.heard]
    words = sum(len(units(text, "en")) for text, _ in heard)
    wrong = sum(edits(units(text, "en"), units(said, "en")) for text, said in heard)
    figures.add("word error rate", 100 * wrong / max(words, 1), "%")
    if refused is not None:
        figures.add("one session more is refused", float(refused), "", ">=", 1.0)
    return figures


_NAMES = {
    "underruns": "underruns",
    "faceless": "sound before its face",
    "stale": "sound or faces of an answer that was cut",
    "silent": "utterances without an answer",
}


def _spread(
    figures: Figures, name: str, noted: Sequence[Noted], what: str, p50: float | None, p95: float | None
) -> None:
    values = [value for one in noted for value in getattr(one, what)]
    reached = np.percentile(values, [50, 95]) if values else (None, None)
    figures.add(f"{name}, median", reached[0], "ms", "<=", p50)
    figures.add(f"{name}, p95", reached[1], "ms", "<=", p95)

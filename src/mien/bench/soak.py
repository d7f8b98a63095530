"""One caller for many minutes: what a process holds by then, and whether face and sound keep together."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mien.bench.caller import Caller, Noted, Spoken
from mien.bench.figures import Figures
from mien.bench.load import Server, connected, session_url, spoken_of
from mien.bench.recordings import Utterance
from mien.live import SessionOptions
from mien.progress import Progress, silent
from mien.speech.listening.activity import SileroVad

_EVERY_S = 2.0
_WARM = 0.3  # of the time: what is loaded and remembered by then is no growth
_SHARE = 0.2  # of the rest, at its beginning and its end, that are compared
SESSIONS = 3  # of the server: one may still wait for its client
_LEFT_S = SessionOptions().resume_s + 5.0  # in which a session whose client is gone lets go of all it holds


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds: resident memory in bytes, open files, threads."""

    memory: int
    files: int
    threads: int

    @classmethod
    def of(cls, pid: int) -> Held | None:
        """Look at a process; None where the system does not tell (it has no /proc)."""
        folder = Path("/proc") / str(pid)
        if not folder.is_dir():
            return None
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        memory = int(status["VmRSS"].split()[0]) * 1024
        return cls(memory, len(list((folder / "fd").iterdir())), int(status["Threads"]))


def run(
    server: Server, persona: str, spoken: Sequence[Utterance], minutes: float, tell: Progress = silent
) -> Figures:
    """Talk to a server for `minutes`, one utterance after the answer to the one before, again and again.

    Raises `ResourceError` when the server refuses the session.
    """
    vad = SileroVad.load()
    known = [spoken_of(utterance, vad) for utterance in spoken]
    url = session_url(server.address, persona)
    asyncio.run(_talk(url, known[:1], 0.0, None, tell))  # the server has had a session before
    tell("letting go", 0.0)
    time.sleep(_LEFT_S)
    before = _held(server)
    noted, seen = asyncio.run(_talk(url, known, 60.0 * minutes, server, tell))
    tell("letting go", 1.0)
    time.sleep(_LEFT_S)
    return _figures(noted, seen, before, _held(server))


async def _talk(
    url: str, known: Sequence[Spoken], seconds: float, server: Server | None, tell: Progress
) -> tuple[Noted, list[Held]]:
    seen: list[Held] = []
    end_s = time.perf_counter() + seconds

    def said() -> Iterator[Spoken]:
        for number, utterance in enumerate(itertools.cycle(known)):
            if number and time.perf_counter() > end_s:
                return
            tell(f"utterance {number + 1}", 1.0 - max(0.0, end_s - time.perf_counter()) / max(seconds, 1.0))
            yield utterance

    async def watch() -> None:
        while True:
            held = _held(server)
            seen.extend([] if held is None else [held])
            await asyncio.sleep(_EVERY_S)

    async with connected(url) as socket, asyncio.TaskGroup() as group:
        watching = group.create_task(watch())
        caller = Caller(socket)
        await caller.talk(said(), interrupts=False, after_s=4.0)
        watching.cancel()
    return caller.noted, seen


def _held(server: Server | None) -> Held | None:
    return None if server is None or server.pid is None else Held.of(server.pid)


def growth(values: Sequence[float]) -> float | None:
    """Return how much more the last of a series is than the first behind its warm-up; None when too short."""
    warm = np.asarray(values[round(_WARM * len(values)) :], float)
    count = round(_SHARE * len(warm))
    if not count:
        return None
    return float(np.median(warm[-count:]) - np.median(warm[:count]))


def _figures(noted: Noted, seen: Sequence[Held], before: Held | None, after: Held | None) -> Figures:
    figures = Figures()
    figures.add("answers", len(noted.answered), "")
    memory = [float(held.memory) for held in seen]
    grown = growth(memory)
    share = None if grown is None else 100.0 * grown / float(np.median(memory))
    figures.add("memory, median", float(np.median(memory)) / 2**20 if memory else None, "MiB")
    figures.add("memory, growth after the warm-up", share, "%", "<=", 1.0)
    figures.add("face against sound, drift", growth(noted.offsets), "ms", "±", 5.0)
    for name, asked in (("files", 0.0), ("threads", None)):  # threads are kept in pools
        both = None if before is None or after is None else getattr(after, name) - getattr(before, name)
        figures.add(f"{name} left by the session", both, "", "<=", asked)
    for name in ("underruns", "faceless", "stale", "silent"):
        figures.add(name, getattr(noted, name), "", "<=", 0.0)
    figures.add("errors", len(noted.errors), "", "<=", 0.0)
    return figures

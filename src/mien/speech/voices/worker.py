"""A voice's inference threads, seen from the event loop as a stream of sound for each breath."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import replace

from mien.engine.runtime import Line, Settings, Terms, asking
from mien.engine.stop import Stop
from mien.speech.voice import SpeechChunk

Chunks = Generator[SpeechChunk, None, None]

STREAMS = 32  # breaths of one voice that may be at an engine, or wait for it
# On a CPU a batch takes as long as its requests one by one: the queue gives order alone.
QUEUED = Settings(most=1, line=Line(queue_ms=60_000.0, name="mien-voices"))
_BEGUN = -1  # the priority of a step's second run: who waited for the first does not wait again
LATE_S = 0.03  # left of the sound before: hardly a run takes less


class Worker:
    """Runs each stream one step at a time, several streams side by side.

    The queue of all voices' engines says who is first: a breath that nobody hears yet, unless the sound of
    another would break off for it.
    """

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(STREAMS, thread_name_prefix=name)

    async def stream(self, make: Callable[[Stop], Chunks]) -> AsyncGenerator[SpeechChunk, None]:
        """Yield what `make` yields. Closing the stream sets the `Stop` that `make` was given."""
        shared = sounding.get()
        stop, pace, stepping = Stop(), shared or Pace(), threading.Lock()
        items, loop = make(stop), asyncio.get_running_loop()
        try:
            while True:  # in the loop's name, so that one whose clock skips waiting knows of the work
                step = loop.run_in_executor(self._executor, _next, items, pace.terms(), stepping)
                if (item := await step) is None:
                    return
                if shared is None:
                    pace.gave(item.pcm.duration_s)
                yield item
        finally:
            stop.set()
            self._executor.submit(_close, items, stepping)


class Pace:
    """When the next sound is needed: when what was given is played to its end. One breath's, or, where a
    performance sets it as `sounding` and tells what it gives, that of all its breaths.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._played: float | None = None  # until when, if it is played from where it came

    def gave(self, seconds: float) -> None:
        """Take note of sound that was given out."""
        self._played = (self._clock() if self._played is None else self._played) + seconds

    def terms(self) -> Terms:
        """Return what the next step asks for, as a session of its own.

        A first sound has no deadline: who had nothing yet is next in the fair order. Nor has what is late
        already, which must not be given up for others.
        """
        left_s = 0.0 if self._played is None else self._played - self._clock()
        return Terms(session=id(self), within_s=left_s if left_s > LATE_S else None)


sounding: ContextVar[Pace | None] = ContextVar("sounding", default=None)


def _next(items: Chunks, terms: Terms, stepping: threading.Lock) -> SpeechChunk | None:
    with stepping, asking(terms, replace(terms, priority=_BEGUN)):
        return next(items, None)


def _close(items: Chunks, stepping: threading.Lock) -> None:
    """End a stream when its last step is over."""
    with stepping:
        items.close()

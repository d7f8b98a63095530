"""One turn's words while they come: passes over its sound, one at a time, each helped by the last."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from mien.audio.pcm import Samples
from mien.engine.priority import URGENT, USEFUL, PriorityThread
from mien.engine.stop import Stop, Stopped
from mien.speech.listening.activity import HOP, RATE_HZ
from mien.speech.listening.agreement import Agreement
from mien.speech.listening.events import Word
from mien.speech.listening.recogniser import Hypothesis, Recogniser

SEGMENT = 20 * RATE_HZ  # samples that are decoded again and again; what is older is settled
_SEEK = 10 * RATE_HZ  # the quietest place for a cut is sought in the last 10 s
_LOUD_HOPS = 5  # that a cut is judged by: 160 ms


@dataclass(slots=True, eq=False)
class Pass:
    """A decoding of samples `start:end` (16 kHz) under way."""

    start: int
    end: int
    stop: Stop
    result: asyncio.Future[Hypothesis]
    is_complete: bool


@dataclass(slots=True, eq=False)
class Utterance:
    """The words of one turn. `start`: the first sample that is not settled, on the stream's 16 kHz clock;
    `started`: the first of speech.
    """

    recogniser: Recogniser
    worker: PriorityThread
    start: int
    started: int
    draft: tuple[int, ...] = ()
    running: Pass | None = None
    foreseen: Pass | None = None  # one that will be complete if the silence lasts
    agreement: Agreement = field(default_factory=Agreement)
    settled: list[Pass] = field(default_factory=list)
    settled_words: list[Word] = field(default_factory=list)
    context: tuple[int, ...] = ()
    tried: int = 0  # the end of the last pass that was begun

    def begin(self, sound: Samples, *, is_complete: bool) -> Pass:
        """Begin a pass over `sound`, which lies at `start`; one that is still running is given up."""
        self.give_up()
        stop = Stop()
        draft, context = self.draft, self.context

        def work() -> Hypothesis:
            return self.recogniser.hear(sound, draft, context, last=is_complete, stop=stop)

        waiting = self.worker.submit(work, URGENT if is_complete else USEFUL, stop)
        result = asyncio.wrap_future(waiting)
        result.add_done_callback(_looked_at)
        self.tried = self.start + len(sound)
        self.running = Pass(self.start, self.tried, stop, result, is_complete)
        return self.running

    def give_up(self) -> None:
        """Stop the pass that is running."""
        if self.running is not None:
            self.running.stop.set()
            self.running.result.cancel()
            self.running = self.foreseen = None

    def free(self) -> None:
        """Let go of a pass that is done."""
        if self.running is not None and self.running.result.done():
            self.running = None

    def settle(self, begun: Pass, at: int) -> None:
        """Leave what lies before `at` to `begun`, which is not given up, and go on behind it."""
        self.settled.append(begun)
        self.running, self.foreseen, self.draft, self.start = None, None, (), at

    async def collect(self) -> None:
        """Wait for the settled passes, and keep their words."""
        while self.settled:
            done = self.settled[0]
            hypothesis = await done.result
            if self.settled and self.settled[0] is done:
                self.settled.pop(0)
                self.settled_words += moved(hypothesis.words, done.start)
                self.context = hypothesis.tokens

    async def text(self) -> tuple[str, str]:
        """Return what was said before this pause, and its language, when the pass that hears it is done;
        nothing without one.
        """
        begun = self.running
        if begun is None or not begun.is_complete:
            return "", ""
        with suppress(Stopped):
            hypothesis = await asyncio.shield(begun.result)
            return hypothesis.text, hypothesis.language
        return "", ""

    def words(self, hypothesis: Hypothesis, begun: Pass) -> list[Word]:
        """Return all words of the turn so far, on the stream's 16 kHz clock."""
        words = moved(hypothesis.words, begun.start)
        if words and words[0].start < self.started:  # a first word may reach back into the silence before
            words[0] = replace(words[0], start=min(self.started, words[0].end))
        return self.settled_words + words


def moved(words: Sequence[Word], by: int) -> list[Word]:
    """Return words `by` samples later."""
    return [replace(word, start=word.start + by, end=word.end + by) for word in words]


def quietest(probabilities: Sequence[float], end: int) -> int:
    """Return the sample before `end` (16 kHz) where speech is least likely, within the last 10 s.

    `probabilities` are those of the last hops; the last of them ends at `end`.
    """
    recent = np.array(probabilities[-_SEEK // HOP :])
    mean = np.convolve(recent, np.full(_LOUD_HOPS, 1.0 / _LOUD_HOPS), mode="valid")
    return end - (len(recent) - int(np.argmin(mean)) - _LOUD_HOPS // 2) * HOP


def _looked_at(result: asyncio.Future[Hypothesis]) -> None:
    """Take note of an error that nobody awaits: the pass was given up."""
    if not result.cancelled():
        result.exception()

"""Sound in, words and turns out, while the user is still speaking."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, TypeVar

from mien.audio.pcm import Pcm, Samples
from mien.engine.priority import PriorityThread
from mien.engine.stop import Stopped
from mien.errors import InputError
from mien.speech.listening import backchannel
from mien.speech.listening.activity import HOP_S, RATE_HZ, Change
from mien.speech.listening.ears import Ears
from mien.speech.listening.events import (
    Dismissed,
    Event,
    Final,
    Partial,
    Pause,
    Resumed,
    SpeechStarted,
    SpeechStopped,
    Word,
)
from mien.speech.listening.models import Models
from mien.speech.listening.options import Options
from mien.speech.listening.outbox import Outbox
from mien.speech.listening.tape import Intake
from mien.speech.listening.utterance import SEGMENT, Pass, Utterance, quietest
from mien.speech.listening.wake import WakeGate

Result = TypeVar("Result")

_SHORT_S = 0.1
_MOST_ENDING = 4  # turns that may wait for their words


class Listener:
    """One stream of sound. Push sound, and iterate over events at the same time:

        async with Listener(models, rate_hz=24_000) as listener:
            ...  await listener.push(pcm)  ...  await listener.finish()
            ...  async for event in listener: ...

    Who pushes waits when events are not taken. `push` raises `InputError` for sound that can not be heard,
    and the stream goes on.
    """

    def __init__(self, models: Models, options: Options | None = None, *, rate_hz: int = RATE_HZ) -> None:
        options = options or Options()
        self._models, self._options = models, options
        self._intake = Intake(rate_hz)
        self._ears = Ears(models.vad, models.turn, options.thresholds, options.turn, options.pre_roll_s)
        self._gate = WakeGate(options.wake_words, options.awake_s, rate_hz)
        self._outbox = Outbox()
        self._pushing = asyncio.Lock()
        self._utterance: Utterance | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending: deque[asyncio.Task[None]] = deque()  # turns whose words are still to come
        self._asked: Future[float] | None = None
        self._closed = False
        self.generation = 0

    async def push(self, pcm: Pcm) -> None:
        """Hear the next sound, of any length up to 60 s, at the listener's rate."""
        samples = self._intake.check(pcm)
        async with self._pushing:
            self._open()
            if len(samples) <= _SHORT_S * self._intake.rate_hz:  # sooner done than handed to a thread
                hops = self._intake.push(samples)
            else:
                hops = await self._in(self._models.ears, lambda: self._intake.push(samples))
            for hop in hops:
                await self._hear(hop)

    async def commit(self) -> int | None:
        """End the turn now (push-to-talk is released); returns the sample at which it ended, None if there
        was none. Who presses a button need not say a wake word.
        """
        async with self._pushing:
            self._open()
            if not self._ears.speaking:
                return None
            for event in self._gate.wake(self._at(self._ears.tape.end)):
                await self._outbox.put(event)
            return await self._stop()

    async def clear(self) -> None:
        """Forget the turn that is open, as if nothing had been said."""
        async with self._pushing:
            self._drop()
            self._intake.clear()
            self.generation += 1

    async def finish(self) -> None:
        """The sound is over: end what is open, wait for its words, and let the events end."""
        async with self._pushing:
            if self._closed:
                return
            for hop in await self._in(self._models.ears, self._intake.finish):
                await self._hear(hop)
            if self._ears.speaking:
                await self._stop()
            self._closed = True
        if self._ending:
            await asyncio.wait(self._ending)
        self._outbox.close()

    async def aclose(self) -> None:
        """Stop all work; events end at once."""
        self._closed = True
        self._drop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._outbox.close()

    async def __aenter__(self) -> Listener:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._outbox.take()) is not None:
            yield event

    @property
    def kept(self) -> int:
        """How many samples at 16 kHz are held."""
        return self._ears.tape.kept

    async def _hear(self, hop: Samples) -> None:
        change = await self._in(self._models.ears, lambda: self._ears.step(hop))
        if change is Change.STARTED:
            await self._start()
        elif change is Change.PAUSED:
            await self._pause()
        elif change is Change.RESUMED:
            await self._resume()
        if self._utterance is None:
            self._ears.forget(self._ears.tape.end)
            return
        await self._judge(self._utterance)
        if self._ears.is_over() or self._ears.tape.end - self._ears.start > self._options.longest_s * RATE_HZ:
            await self._stop()
        else:
            self._grow(self._utterance)

    async def _judge(self, utterance: Utterance) -> None:
        """Ask the turn model at the first silence; its answer, and the words, are awaited only when they say
        whether the turn is over.
        """
        if self._asked is not None and self._ears.decides():
            asked, self._asked = self._asked, None
            self._ears.answer(await asyncio.wrap_future(asked))
        question = self._ears.question()
        if question is not None:
            if self._asked is not None:
                self._asked.cancel()
            self._asked = self._models.turns.submit(question)
        if self._ears.reads():
            text, language = await utterance.text()
            self._ears.read(text, language)

    async def _start(self) -> None:
        self.generation += 1
        self._models.words.sharing += 1
        self._utterance = Utterance(
            self._models.recogniser, self._models.words, self._ears.start, self._ears.started
        )
        await self._tell(SpeechStarted(self._at(self._ears.started), self.generation))

    async def _pause(self) -> None:
        await self._tell(Pause(self._at(self._ears.voiced_end), self.generation))
        if self._utterance is not None:
            begun = self._utterance.foreseen or self._early(self._utterance)
            self._utterance.foreseen = None
            self._spawn(self._partial(self._utterance, begun))

    async def _resume(self) -> None:
        self.generation += 1
        if self._utterance is not None:
            self._utterance.free()
        await self._tell(Resumed(self._at(self._ears.resumed), self.generation))

    def _grow(self, utterance: Utterance) -> None:
        """Begin another pass when enough new sound came; settle what is old."""
        end = self._ears.tape.end
        if end - utterance.start > SEGMENT:
            cut = quietest(self._ears.probabilities, end)
            begun = utterance.begin(self._ears.tape.cut(utterance.start, cut), is_complete=True)
            utterance.settle(begun, cut)
        elif not self._ears.paused:
            self._foresee(utterance)
            if utterance.running is None and self._has_grown(utterance, end):
                begun = utterance.begin(self._ears.tape.cut(utterance.start, end), is_complete=False)
                self._spawn(self._partial(utterance, begun))
        self._ears.forget(utterance.start)

    def _foresee(self, utterance: Utterance) -> None:
        """Hear the words at the first silence, in case it becomes a pause, unless others wait for theirs."""
        if utterance.foreseen is not None and not self._ears.silent_s:
            self._spawn(self._partial(utterance, utterance.foreseen))
            utterance.foreseen = None
        alone = utterance.running is not None or not self._models.words.busy
        if alone and utterance.foreseen is None and self._ears.silent_s >= self._options.early_s - HOP_S / 2:
            utterance.foreseen = self._early(utterance)

    def _early(self, utterance: Utterance) -> Pass:
        sound = self._ears.tape.cut(utterance.start, self._ears.tape.end)
        return utterance.begin(sound, is_complete=True)

    def _has_grown(self, utterance: Utterance, end: int) -> bool:
        """Whether enough is new for partial words: the more who speak at once, the rarer theirs, so that who
        has ended finds the recogniser free.
        """
        step_s = self._options.step_s * max(1, self._models.words.sharing)
        return end - max(utterance.tried, self._ears.started) >= step_s * RATE_HZ

    async def _partial(self, utterance: Utterance, begun: Pass) -> None:
        """Tell a pass's words when it is done."""
        try:
            hypothesis = await begun.result
        finally:  # also when it gave way to another stream's
            if not (begun.is_complete and self._ears.paused):
                utterance.free()
        if begun.start != utterance.start:
            return
        await utterance.collect()
        utterance.draft = hypothesis.tokens
        words = utterance.agreement.push(utterance.words(hypothesis, begun))
        if self._utterance is utterance and words:
            at = self._at(self._ears.voiced_end if begun.is_complete else begun.end)
            stable = len(utterance.agreement.stable)
            complete = begun.is_complete and self._ears.paused
            await self._tell(
                Partial(at, self.generation, self._clocked(words), stable, hypothesis.language, complete)
            )

    async def _stop(self) -> int | None:
        """End the turn, and return where; its words follow when they are known."""
        utterance = self._taken()
        if utterance is None:
            return None
        end, voiced_s = self._ears.voiced_end, self._ears.voiced_s
        begun = utterance.running if self._ears.paused else None
        if begun is None:
            sound = self._ears.tape.cut(utterance.start, self._ears.tape.end)
            begun = utterance.begin(sound, is_complete=True)
        stopped = SpeechStopped(self._at(end), self.generation, self._ears.turn_probability)
        self._ears.end()
        await self._tell(stopped)
        if len(self._ending) >= _MOST_ENDING:  # words come slower than sound: whoever pushes waits
            await asyncio.wait([self._ending[0]])
        ended = _Ended(utterance, begun, stopped.sample, self.generation, voiced_s)
        before = self._ending[-1] if self._ending else None
        self._ending.append(self._spawn(self._final(ended, before)))
        return stopped.sample

    async def _final(self, ended: _Ended, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        if ended.voiced_s < self._options.shortest_s:
            ended.utterance.give_up()
            await self._tell(Dismissed(ended.sample, ended.generation, "noise"))
            return
        hypothesis = await ended.begun.result
        await ended.utterance.collect()
        words = ended.utterance.words(hypothesis, ended.begun)
        if not words:
            await self._tell(Dismissed(ended.sample, ended.generation, "no words"))
            return
        heard = self._clocked(tuple(words))
        await self._tell(
            Final(
                ended.sample,
                ended.generation,
                heard,
                hypothesis.language,
                sum(word.confidence for word in heard) / len(heard),
                backchannel.is_backchannel(heard, self._intake.rate_hz),
                ended.utterance.agreement.revised(words),
            )
        )

    def _drop(self) -> None:
        if (utterance := self._taken()) is not None:
            utterance.give_up()
        self._ears.clear()

    def _taken(self) -> Utterance | None:
        """Return the turn that is open, and be without."""
        utterance, self._utterance = self._utterance, None
        self._models.words.sharing -= utterance is not None
        return utterance

    def _open(self) -> None:
        if self._closed:
            raise InputError("sound came behind the stream's end; open another listener")

    def _at(self, sample: int) -> int:
        return self._intake.sample(sample)

    def _clocked(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        return tuple(replace(word, start=self._at(word.start), end=self._at(word.end)) for word in words)

    async def _tell(self, event: Event) -> None:
        for each in self._gate.pass_on(event):
            await self._outbox.put(each)

    async def _in(self, worker: PriorityThread, work: Callable[[], Result]) -> Result:
        return await asyncio.wrap_future(worker.submit(work))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task in self._ending:
            self._ending.remove(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Stopped):
            self._closed = True
            self._outbox.close(error)


@dataclass(frozen=True, slots=True, eq=False)
class _Ended:
    """A turn that is over, its words still to come."""

    utterance: Utterance
    begun: Pass
    sample: int
    generation: int
    voiced_s: float

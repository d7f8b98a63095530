"""A conversation: sound and text in; sound with its face and events out, on one clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from types import TracebackType

from mien.audio.pcm import Pcm
from mien.errors import InputError
from mien.live.events import Event, HandOver, Output, Silent, Understood
from mien.live.history import History
from mien.live.idle import IdleFace
from mien.live.lanes import Generation
from mien.live.mind import Mind
from mien.live.options import SessionOptions
from mien.live.player import AGELESS, Delivery, Player
from mien.live.replies import Replies
from mien.live.taking import Ears, TurnTaking
from mien.mind.brief import Brief, FunctionCall
from mien.persona import Persona

LONGEST_TEXT = 8000


class Session:
    """One conversation. Push sound, and take outputs at the same time:

        async with Session(listener, mind, persona) as session:
            ...  await session.push(pcm)  ...
            ...  async for output in session: ...

    `ears` is a `Listener` or of its shape; it is closed with the session. Who takes nothing makes `push`
    wait. Outputs end when the session is closed, or when nobody came back to a detached one; an error that
    is not mien's own is raised where they are taken.
    """

    def __init__(
        self, ears: Ears, mind: Mind, persona: Persona, options: SessionOptions | None = None
    ) -> None:
        self.options = options or SessionOptions()
        self._ears, self._mind, self._persona = ears, mind, persona
        self._generation = Generation()
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._error: BaseException | None = None
        self._reading = self._closed = self._heard_all = False
        self._leaving: asyncio.TimerHandle | None = None
        self._silence: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Session:
        performance = await self._persona.performance()
        manners = self._persona.spec.manners
        face = IdleFace(manners.energy, manners.mood)
        history = History(self.options.history_turns, self.options.history_chars)
        rate_hz = performance.voice.rate_hz
        self._player = Player(rate_hz, self._generation, face, self.options.lead_s, self._ended)
        self._replies = Replies(
            self._mind,
            self._persona,
            self.options,
            self._generation,
            self._player,
            self._tell,
            self._broke,
            history,
        )
        self._taking = TurnTaking(self._replies, self._player, self.options, self._tell)
        for work in (self._player.run(), self._listen()):
            task = asyncio.get_running_loop().create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._done)
        self._stir()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    @property
    def rate_hz(self) -> int:
        """Sample rate of the output clock, Hz."""
        return self._player.rate_hz

    @property
    def end(self) -> int:
        """Up to which sample of the output clock something was given out."""
        return self._player.end

    @property
    def position(self) -> int:
        """The sample of the output clock that is heard now."""
        return self._player.position()

    @property
    def generation(self) -> int:
        """The number of what counts now."""
        return self._generation.number

    @property
    def history(self) -> History:
        """What was said, and heard."""
        return self._replies.history

    @property
    def underruns(self) -> int:
        """How often sound came too late."""
        return self._player.underruns

    @property
    def clamped(self) -> dict[str, int]:
        """How many values of faces lay outside human limits, of `range` and of `speed`, and were changed."""
        return dict(self._replies.clamped)

    @property
    def waiting_ms(self) -> dict[str, float]:
        """Speech that waits now, ms: as `text`, as `sound`, and as `output` for who takes it."""
        current = self._replies.current
        text, sound = (0.0, 0.0) if current is None else current.turn.waiting_ms
        return {"text": text, "sound": sound, "output": self._player.out.held_ms}

    @property
    def tasks(self) -> int:
        """How many tasks the session has now: two while it waits."""
        return len(self._tasks) + len(self._replies.tasks)

    async def push(self, pcm: Pcm) -> None:
        """Hear the next sound; raises `InputError` for sound that can not be heard, the session goes on."""
        self._open()
        self._taking.heard(len(pcm), pcm.rate_hz)
        await self._ears.push(pcm)
        self._taking.took(len(pcm))

    async def commit(self) -> int | None:
        """End the user's turn now (push-to-talk is released); returns the sample of the input at which it
        ended, None if there was no turn.
        """
        self._open()
        return await self._ears.commit()

    async def clear(self) -> None:
        """Take back what is being said; `Unspoken` follows."""
        self._open()
        await self._ears.clear()
        self._taking.cleared()

    def change(self, options: SessionOptions) -> None:
        """Behave otherwise from now on; `lead_s` stays as it was, and so does what history holds."""
        self._open()
        self.options = self._taking.options = self._replies.options = options
        self._stir()

    async def finish(self) -> None:
        """No more sound will come; what was said is still answered."""
        await self._ears.finish()

    async def rest(self) -> None:
        """Wait until all that was pushed before `finish` was heard, and answered to the end."""
        while not self._closed and not (self._heard_all and self._replies.current is None):
            self._changed.clear()
            await self._changed.wait()

    @property
    def brief(self) -> Brief:
        """What the client adds for the mind's language model; it can be set."""
        return self._replies.brief

    @brief.setter
    def brief(self, brief: Brief) -> None:
        self._replies.brief = brief

    def text(self, words: str, language: str | None = None, brief: Brief | None = None) -> int:
        """Answer typed words at once, in place of what is being said; return the turn's number.

        `brief`: for this answer alone. Raises `InputError` for none and for more than 8,000 characters.
        """
        self._open()
        if not words.strip():
            raise InputError("the text is empty; give words to answer")
        if len(words) > LONGEST_TEXT:
            raise InputError(f"the text has {len(words)} characters; up to {LONGEST_TEXT} can be answered")
        self._stir()
        return self._taking.typed(words.strip(), language or self._language, brief)

    def greet(self, language: str | None = None, brief: Brief | None = None) -> int:
        """Let the persona begin, as if the user had come in, or go on with the results of functions in
        `brief`; return the turn's number.
        """
        self._open()
        self._stir()
        return self._taking.typed("", language or self._language, brief)

    @property
    def _language(self) -> str:
        return self._persona.spec.language.split("-")[0]

    async def write(
        self, words: str, language: str | None = None, brief: Brief | None = None
    ) -> AsyncIterator[str | FunctionCall | HandOver]:
        """Answer with text alone, in place of what is being said: yield it as the mind gives it.

        What was yielded is remembered as if it had been heard. Raises what a mind raises.
        """
        self._open()
        self._stir()
        written = self._replies.written(words.strip(), language or self._language, brief)
        async with aclosing(written) as texts:
            async for text in texts:
                yield text

    def interrupt(self) -> None:
        """Stop the answer."""
        self._open()
        self._stir()
        self._taking.stop()
        self._changed.set()

    def heard(self, sample: int) -> None:
        """Say which sample of the output clock is heard now; raises `InputError` for one not given out."""
        self._open()
        self._player.heard(sample)

    def truncate(self, turn: int, heard_s: float) -> bool:
        """Say that of the last answer only `heard_s` seconds were heard; returns whether it was the last."""
        self._open()
        return self._replies.truncate(turn, heard_s)

    def detach(self) -> None:
        """The client is gone: stop, keep everything, and close unless `attach` comes within `resume_s`."""
        self._open()
        self._taking.hold()
        self._player.suspend(suspended=True)
        self._player.out.pause(paused=True)
        self._leave(self.options.resume_s)

    def attach(self) -> None:
        """The client is back: outputs go on; raises `InputError` when it took too long."""
        self._open()
        if self._leaving is not None:
            self._leaving.cancel()
        self._player.out.pause(paused=False)
        self._player.suspend(suspended=False)
        self._player.again()
        self._taking.go_on()

    def again(self) -> None:
        """Give the listening face out again, from what is seen now on: somebody new looks."""
        self._open()
        self._player.again()

    async def aclose(self) -> None:
        """Stop everything; returns when nothing runs any more."""
        self._end()
        tasks = self._tasks | self._replies.tasks
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._ears.aclose()

    async def __aiter__(self) -> AsyncIterator[Output]:
        if self._reading:
            raise InputError("somebody takes this session's outputs already; detach it first")
        self._reading = True
        try:
            while (output := await self._player.out.take()) is not None:
                self._player.was_taken(output)
                yield output
        finally:
            self._reading = False
        if self._error is not None:
            raise self._error

    async def _listen(self) -> None:
        async for event in self._ears:
            await self._player.out.room()
            self._stir()
            self._taking.on(event)
        self._heard_all = True
        self._changed.set()

    def _ended(self, delivery: Delivery) -> None:
        self._stir()
        self._replies.ended(delivery)
        self._changed.set()

    def _tell(self, event: Event) -> None:
        out = self._player.out
        if isinstance(event, Understood):
            out.discard(lambda output: isinstance(output, Understood))
        out.offer(event, 0.0, AGELESS)

    def _stir(self) -> None:
        """Somebody spoke: silence begins anew."""
        if self._silence is not None:
            self._silence.cancel()
        after_s = self.options.longest_silence_s
        if not self._closed:
            loop = asyncio.get_running_loop()
            self._silence = loop.call_later(after_s, self._tell, Silent(after_s))

    def _leave(self, after_s: float) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
        self._leaving = asyncio.get_running_loop().call_later(after_s, self._end)

    def _end(self) -> None:
        self._closed = True
        for timer in (self._leaving, self._silence):
            if timer is not None:
                timer.cancel()
        self._taking.close()
        self._changed.set()
        self._player.out.pause(paused=False)
        self._player.out.close()
        for task in self._tasks | self._replies.tasks:
            task.cancel()

    def _broke(self, error: BaseException) -> None:
        self._error = self._error or error
        self._end()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._broke(error)

    def _open(self) -> None:
        if self._closed:
            raise InputError("this session is closed; open another")

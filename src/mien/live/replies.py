"""The answers of a session: begun on trial, released, cut, remembered as far as they were heard."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from mien.errors import MienError
from mien.live import clock
from mien.live.events import Done, Event, Failed, HandOver, Interrupted
from mien.live.history import History
from mien.live.lanes import Generation
from mien.live.mind import Asked, Exchange, Mind
from mien.live.options import SessionOptions
from mien.live.player import Delivery, Player
from mien.live.turn import Turn, next_piece
from mien.live.waterfall import Waterfall
from mien.mind.brief import NOTHING, Brief, FunctionCall
from mien.persona import Persona

SCARCELY_S = 0.7
"""Of an answer of which less than this was heard, the user took no notice: they were still speaking."""


_AHEAD_S = 0.3  # how far a client may be before what it says it plays
_ECHO_S = 3.0  # how late words may be known that were heard at the end of an answer


class Past(Enum):
    """What becomes of a question whose answer is cut: it is kept with what was heard of the answer, it is
    part of what is said next if hardly anything was heard, or it is forgotten.
    """

    KEEP = auto()
    JOIN = auto()
    FORGET = auto()


@dataclass(slots=True, eq=False)
class Reply:
    """An answer to what was `said`, and the task that makes it. `error`: why it could not be made."""

    turn: Turn
    said: str
    task: asyncio.Task[None] | None = None
    released: bool = False
    error: str = ""


@dataclass(slots=True, eq=False)
class Replies:
    """At most one answer at a time, and its number.

    `tell` takes events; `broke` an error that is none of mien's, with which the session ends.
    """

    mind: Mind
    persona: Persona
    options: SessionOptions
    generation: Generation
    player: Player
    tell: Callable[[Event], None]
    broke: Callable[[BaseException], None]
    history: History
    state: Any = None
    brief: Brief = NOTHING
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    clamped: Counter[str] = field(default_factory=Counter)
    current: Reply | None = None
    _unanswered: str = ""
    _last: tuple[int, Delivery] | None = None
    _last_at: float = 0.0

    def begin(self, text: str, language: str, waterfall_s: float, brief: Brief | None = None) -> Reply:
        """Begin to answer, on trial: nothing is given out before `release`. What was asked before and not
        answered by a single word belongs to the question. `brief`: instead of the session's.
        """
        self.drop()
        number = self.generation.bump()
        whole = f"{self._unanswered} {text}".strip()
        asked = Asked(whole, language, self.history.exchanges, self.state, brief=brief or self.brief)
        waterfall = Waterfall(number, waterfall_s)
        turn = Turn(asked, self.generation, self.options, waterfall, self.player.wake)
        reply = self.current = Reply(turn, text)
        reply.task = asyncio.get_running_loop().create_task(self._run(reply))
        self.tasks.add(reply.task)
        reply.task.add_done_callback(self._done)
        return reply

    def release(self, reply: Reply) -> None:
        """Give the answer out: the turn is over."""
        reply.released, self._unanswered = True, ""
        reply.turn.release()
        reply.turn.waterfall.mark("endpoint", clock.now())
        self.player.play(reply.turn)
        self._report(reply)

    def drop(self, past: Past = Past.KEEP) -> None:
        """End the current answer; one that was not released is as if it had not been."""
        reply, self.current = self.current, None
        if reply is None:
            return
        if reply.task is not None:
            reply.task.cancel()
        self.generation.bump()
        stopped = self.player.stop()
        if stopped is not None:
            self._interrupted(*stopped, past)

    async def written(
        self, text: str, language: str, brief: Brief | None
    ) -> AsyncGenerator[str | FunctionCall | HandOver, None]:
        """Answer with text alone, and remember as much of it as was taken."""
        self.drop()
        asked = Asked(text, language, self.history.exchanges, self.state, brief=brief or self.brief)
        asked.confirmed.set()
        said, whole = "", False
        try:
            async with aclosing(self.mind.answer(asked)) as pieces:
                while (piece := await next_piece(pieces, self.options.first_word_s)) is not None:
                    said, self.state = said + piece.text, piece.state or self.state
                    if piece.text:
                        yield piece.text
                    if piece.call is not None:
                        yield piece.call
                    if piece.hand_over:
                        yield HandOver(0, piece.hand_over)
            whole = True
        finally:
            self.history.add(Exchange(text, said, cut=not whole))

    def spoken(self) -> str:
        """Return what the user may hear now, or heard just before."""
        delivery, player = self.player.delivery, self.player
        if delivery is None:
            late = self._last is None or clock.now() - self._last_at > _ECHO_S
            return "" if late or self._last is None else _words(self._last[1], self._last[1].heard)
        now = player.position() - (delivery.offset or 0)
        return _words(delivery, delivery.heard if player.held else now + round(_AHEAD_S * player.rate_hz))

    def ended(self, delivery: Delivery) -> None:
        """An answer was heard to its end."""
        reply, self.current = self.current, None
        heard = self._remember(delivery, cut=False)
        if reply is not None and not reply.error:
            turn = delivery.turn
            self._hand_over(turn)
            self.tell(Done(turn.number, heard, turn.waterfall, tuple(turn.calls)))

    def truncate(self, turn: int, heard_s: float) -> bool:
        """The client says that of the last answer only so much was heard; whether that could be noted."""
        if self._last is None or self._last[0] != turn:
            return False
        delivery = self._last[1]
        delivery.heard = min(delivery.heard, max(0, round(heard_s * self.player.rate_hz)))
        text = delivery.turn.script.heard(delivery.heard).text
        self.history.replace_last(Exchange(delivery.turn.asked.text, text, cut=True))
        return True

    def _interrupted(self, delivery: Delivery, at: int, past: Past) -> None:
        heard_s = delivery.heard / self.player.rate_hz
        if past is Past.JOIN and heard_s < SCARCELY_S:
            self._unanswered, past = delivery.turn.asked.text, Past.FORGET
        if past is Past.FORGET:
            heard = delivery.turn.script.heard(delivery.heard).text
        else:
            heard = self._remember(delivery, cut=True)
        turn = delivery.turn
        if past is not Past.FORGET and heard_s >= SCARCELY_S:
            self._hand_over(turn)
        self.tell(Interrupted(turn.number, at, heard, heard_s, turn.waterfall))

    def _hand_over(self, turn: Turn) -> None:
        if turn.hand_over:
            self.tell(HandOver(turn.number, turn.hand_over))

    def _remember(self, delivery: Delivery, *, cut: bool) -> str:
        """Keep what was heard of an answer, and what the mind wants to know once it was; return the words."""
        turn = delivery.turn
        heard = turn.script.heard(delivery.heard)
        self.history.add(Exchange(turn.asked.text, heard.text, cut=cut and not heard.complete))
        self.state = heard.state if heard.state is not None else self.state
        self._last, self._last_at = (turn.number, delivery), clock.now()
        return heard.text

    async def _run(self, reply: Reply) -> None:
        try:
            await reply.turn.run(self.mind, self.persona)
        except* MienError as errors:
            reply.error = str(_first(errors))
            self._report(reply)
        finally:
            self.clamped.update(reply.turn.clamped)

    def _report(self, reply: Reply) -> None:
        if reply.error and reply.released:
            self.tell(Failed(reply.turn.number, reply.error))

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.broke(error)


def _words(delivery: Delivery, sample: int) -> str:
    return delivery.turn.script.heard(max(0, sample)).text


def _first(errors: BaseExceptionGroup[MienError]) -> MienError:
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, MienError)
    return error

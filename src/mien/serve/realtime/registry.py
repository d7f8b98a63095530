"""All sessions of a server: who is connected, and who may come back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from mien.errors import InputError, ResourceError
from mien.live import clock
from mien.serve.house import House
from mien.serve.operation.watch import Closed, Opened, Refused
from mien.serve.realtime import setup
from mien.serve.realtime.connection import Connection
from mien.serve.realtime.conversation import Conversation
from mien.serve.realtime.settings import Settings
from mien.serve.realtime.wire import Ending
from mien.serve.refusals import RefusedError


@dataclass(eq=False)
class _Seat:
    """A conversation with its place among those admitted. `connection` None: the client is away."""

    conversation: Conversation
    place: ExitStack
    connection: Connection[Any] | None = None
    leaving: asyncio.TimerHandle | None = None
    free: asyncio.Event = field(default_factory=asyncio.Event)
    began_s: float = field(default_factory=clock.now)


@contextmanager
def _no_place() -> Iterator[None]:
    try:
        yield
    except ResourceError as error:
        raise RefusedError(str(error), "no_place", None, "server_error", 503) from None


class Registry:
    """Sessions by their id; `each`: of one owner, `longest_s`: of each session; 0: no limit."""

    def __init__(self, house: House, each: int = 0, longest_s: float = 0.0) -> None:
        self._house, self._each, self._longest_s = house, each, longest_s
        self._seats: dict[str, _Seat] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self.draining = False

    def __len__(self) -> int:
        return len(self._seats)

    async def open(self, settings: Settings, owner: str = "") -> Conversation:
        """Begin a session; raises `RefusedError` when there is no place, or what it needs is not here."""
        self._check(owner)
        place = self._admit()
        try:
            conversation = Conversation(self._house, settings, owner)
            await conversation.open()
        except BaseException:
            place.close()
            raise
        self._seats[conversation.id] = _Seat(conversation, place)
        self._house.watch.tell(Opened(conversation.id, conversation.settings.mien.persona, owner))
        return conversation

    def seats(self) -> list[tuple[Conversation, Connection[Any] | None]]:
        """Return all sessions; None: the client is away, and may come back."""
        return [(seat.conversation, seat.connection) for seat in self._seats.values()]

    def check(self, owner: str = "") -> None:
        """Raise `RefusedError` when `open` would find no place now."""
        self._check(owner)
        if self._away() is None:
            with _no_place(), self._house.admission.admit():
                pass

    def _check(self, owner: str) -> None:
        if self.draining:
            raise RefusedError("the server ends; connect elsewhere", "draining", None, "server_error", 503)
        own = sum(seat.conversation.owner == owner for seat in self._seats.values())
        if self._each and own >= self._each:
            raise RefusedError(
                f"you have {own} sessions already, as many as one may; end one of them",
                "quota_exceeded", None, "rate_limit_error", 429,
            )  # fmt: skip

    def _admit(self) -> ExitStack:
        """Take a place; who is away gives theirs up when there is none left."""
        place = ExitStack()
        try:
            with _no_place():
                place.enter_context(self._house.admission.admit())
        except RefusedError:
            away = self._away()
            if away is None:
                raise
            self._forget(away)
            return self._admit()
        return place

    def _away(self) -> str | None:
        """Return a session whose client is gone, and may come back."""
        return next((name for name, seat in self._seats.items() if seat.leaving is not None), None)

    def refused(self, error: RefusedError) -> None:
        """Note that nobody was let in."""
        self._house.watch.tell(Refused(error.code))

    async def resume(self, name: str, owner: str = "") -> Conversation | None:
        """Return a session that somebody comes back to; who still has it loses it."""
        seat = self._seats.get(name)
        if seat is None or seat.conversation.owner != owner or self.draining:
            return None
        if seat.connection is not None:
            error = RefusedError("the session went on in another connection", "session_taken_over")
            seat.conversation.refuse(error)
            seat.connection.end(Ending.REPLACED)
            await seat.free.wait()
        if seat.leaving is not None:
            seat.leaving.cancel()
            seat.leaving = None
        return seat.conversation if name in self._seats else None

    async def serve(self, conversation: Conversation, connection: Connection[Any], *, resumed: bool) -> None:
        """Serve a connection, and keep or end the session when it is over."""
        seat = self._seats[conversation.id]
        seat.connection = connection
        if resumed:
            persona = conversation.settings.mien.persona
            self._house.watch.tell(Opened(conversation.id, persona, conversation.owner, resumed=True))
        seat.free.clear()
        ending = Ending.OVER
        limit = self._limit(seat, connection)
        try:
            if resumed:
                conversation.live.attach()
            ending = await connection.run(resumed=resumed)
        finally:
            if limit is not None:
                limit.cancel()
            seat.connection = None
            if ending in (Ending.LOST, Ending.REPLACED) and not conversation.closed:
                self._wait_for(seat)
            else:
                self._forget(conversation.id, ending.name.lower())
            seat.free.set()

    def _limit(self, seat: _Seat, connection: Connection[Any]) -> asyncio.TimerHandle | None:
        if not self._longest_s:
            return None
        left_s = seat.began_s + self._longest_s - clock.now()
        return asyncio.get_running_loop().call_later(max(0.0, left_s), connection.end, Ending.LONG)

    def leave(self, conversation: Conversation) -> None:
        """End a session whose client was gone before it was served."""
        self._forget(conversation.id)

    def _wait_for(self, seat: _Seat) -> None:
        try:
            seat.conversation.live.detach()
        except InputError:  # it ended meanwhile
            self._forget(seat.conversation.id)
            return
        loop = asyncio.get_running_loop()
        seat.leaving = loop.call_later(setup.RESUME_S, self._forget, seat.conversation.id)

    def _forget(self, name: str, ending: str = "away") -> None:
        """End a session; its place is free at once."""
        seat = self._seats.pop(name, None)
        if seat is None:
            return
        self._house.watch.tell(Closed(name, ending))
        if seat.leaving is not None:
            seat.leaving.cancel()
        seat.place.close()
        task = asyncio.get_running_loop().create_task(seat.conversation.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def drain(self, within_s: float) -> None:
        """Take nobody new, let answers that are being given end, and close all."""
        self.draining = True
        seats = list(self._seats.values())
        for seat in seats:
            seat.conversation.tell("mien.draining", within_s=within_s)
        await asyncio.gather(*(self._rest(seat, within_s) for seat in seats))
        for name in list(self._seats):
            self._forget(name, "drained")
        await asyncio.gather(*self._closing, return_exceptions=True)

    async def _rest(self, seat: _Seat, within_s: float) -> None:
        if seat.connection is None:
            return
        try:
            async with asyncio.timeout(within_s):
                await seat.conversation.answers.idle()
        except TimeoutError:
            pass
        if seat.connection is not None:
            seat.connection.end(Ending.DRAINED)
            await seat.free.wait()

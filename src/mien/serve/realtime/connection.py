"""A client and its conversation: what comes is done in order, what is told is sent, little waits."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Generic

from mien.errors import MienError
from mien.serve.realtime import inputs
from mien.serve.realtime.conversation import Conversation, nobody
from mien.serve.realtime.outbox import Outbox
from mien.serve.realtime.rate import Rate
from mien.serve.realtime.wire import REASONS, Ending, GoneError, Packed, Received, Wire
from mien.serve.refusals import RefusedError

_LAST_WORDS_S = 2.0


class Connection(Generic[Packed]):
    """Serves a conversation over a wire, for as long as both are there."""

    def __init__(self, wire: Wire[Packed], conversation: Conversation) -> None:
        self._wire: Wire[Packed] = wire
        self._conversation = conversation
        self._outbox: Outbox[Packed] = Outbox(wire.pack)
        self._rate = Rate()
        self._ending = asyncio.get_running_loop().create_future()

    @property
    def unsent(self) -> int:
        """How much waits for the client to read."""
        return self._outbox.held

    async def run(self, *, resumed: bool) -> Ending:
        """Serve until one of both is gone; return why."""
        conversation = self._conversation
        conversation.send = self._outbox.put
        conversation.greet(resumed=resumed)
        tasks = [self._task(each) for each in (self._read(), self._write(), self._run())]
        try:
            ending: Ending = await asyncio.shield(self._ending)
            await self._close(ending, tasks[1])
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            conversation.send = nobody
        return ending

    def end(self, ending: Ending) -> None:
        """End the connection."""
        if not self._ending.done():
            self._ending.set_result(ending)

    def _task(self, work: Coroutine[Any, Any, Ending]) -> asyncio.Task[Ending]:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Ending]) -> None:
        if task.cancelled() or self._ending.done():
            return
        error = task.exception()
        if error is not None:
            self._ending.set_exception(error)
        else:
            self._ending.set_result(task.result())

    async def _read(self) -> Ending:
        try:
            while True:
                got = await self._wire.receive()
                await self._slow_down()
                if self._rate.hopeless:
                    return Ending.FAST
                await self._take(got)
        except GoneError as gone:
            return gone.ending

    async def _slow_down(self) -> None:
        late = self._rate.late()
        if late > 0.0:
            if self._rate.warns():
                much = f"more than {self._rate.per_s:g} events a second; they are read later"
                self._conversation.refuse(RefusedError(much, "rate_limit_exceeded", None, "rate_limit_error"))
            await asyncio.sleep(late)

    async def _take(self, got: Received) -> None:
        """Do what a message says; errors are told, and the session goes on."""
        event_id = None
        try:
            if isinstance(got, RefusedError):
                raise got
            if isinstance(got, bytes):
                await self._conversation.append(got)
                return
            table = inputs.table_of(got)
            known = table.get("event_id")
            event_id = known if isinstance(known, str) else None
            await self._conversation.take(inputs.event_of(table))
        except RefusedError as error:
            self._conversation.refuse(error, event_id)
        except MienError as error:
            self._conversation.refuse(RefusedError(str(error)), event_id)

    async def _write(self) -> Ending:
        try:
            while (message := await self._outbox.take()) is not None:
                await self._wire.send(message)
        except GoneError as gone:
            return gone.ending
        return Ending.SLOW if self._outbox.overfull else Ending.OVER

    async def _run(self) -> Ending:
        await self._conversation.run()
        return Ending.OVER

    async def _close(self, ending: Ending, writing: asyncio.Task[Ending]) -> None:
        """Send what is left, and the close."""
        if ending not in REASONS:
            return
        self._outbox.close()
        if ending is not Ending.SLOW:
            await asyncio.wait([writing], timeout=_LAST_WORDS_S)
        try:
            async with asyncio.timeout(_LAST_WORDS_S):
                await self._wire.close(ending)
        except TimeoutError:
            return

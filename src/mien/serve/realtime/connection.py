"""One WebSocket: what comes is read and done in order, what is told is sent, nothing more waits than may."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from enum import Enum, auto
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from mien.errors import MienError
from mien.serve.realtime import inputs
from mien.serve.realtime.conversation import Conversation, nobody
from mien.serve.realtime.outbox import Outbox
from mien.serve.realtime.rate import Rate
from mien.serve.refusals import RefusedError

_LAST_WORDS_S = 2.0
GONE = (1000, 1001)  # close codes of a client that means it


class Ending(Enum):
    """Why a connection is over."""

    LEFT = auto()  # the client closed it
    LOST = auto()  # it may come back
    SLOW = auto()  # it does not read
    FAST = auto()  # it sends too much
    REPLACED = auto()  # the session went on elsewhere
    OVER = auto()  # the session ended
    LONG = auto()  # it lasted as long as one may
    DRAINED = auto()  # the server ends


_CODES = {
    Ending.SLOW: (1013, "you read too slowly; more than 4 MiB waited"),
    Ending.FAST: (1008, "too many events came for too long"),
    Ending.REPLACED: (1008, "the session went on in another connection"),
    Ending.LONG: (1008, "the session lasted as long as one may; begin another"),
    Ending.OVER: (1011, "the session ended"),
    Ending.DRAINED: (1001, "the server ends; connect again"),
}


class Connection:
    """A client and its conversation, for as long as both are there."""

    def __init__(self, socket: WebSocket, conversation: Conversation) -> None:
        self._socket, self._conversation = socket, conversation
        self._outbox = Outbox()
        self._rate = Rate()
        self._ending = asyncio.get_running_loop().create_future()

    @property
    def unsent(self) -> int:
        """How many characters wait for the client to read."""
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
                got = await self._socket.receive()
                if got["type"] == "websocket.disconnect":
                    return Ending.LEFT if got.get("code") in GONE else Ending.LOST
                await self._slow_down()
                if self._rate.hopeless:
                    return Ending.FAST
                await self._take(got.get("text"))
        except WebSocketDisconnect as gone:
            return Ending.LEFT if gone.code in GONE else Ending.LOST

    async def _slow_down(self) -> None:
        late = self._rate.late()
        if late > 0.0:
            if self._rate.warns():
                much = f"more than {self._rate.per_s:g} events a second; they are read later"
                self._conversation.refuse(RefusedError(much, "rate_limit_exceeded", None, "rate_limit_error"))
            await asyncio.sleep(late)

    async def _take(self, text: str | None) -> None:
        """Do what a message says; errors are told, and the session goes on."""
        event_id = None
        try:
            if text is None:
                raise RefusedError("a binary message came; events are JSON as text", "invalid_json")
            table = inputs.table_of(text)
            known = table.get("event_id")
            event_id = known if isinstance(known, str) else None
            await self._conversation.take(inputs.event_of(table))
        except RefusedError as error:
            self._conversation.refuse(error, event_id)
        except MienError as error:
            self._conversation.refuse(RefusedError(str(error)), event_id)

    async def _write(self) -> Ending:
        while (text := await self._outbox.take()) is not None:
            try:
                await self._socket.send_text(text)
            except (WebSocketDisconnect, RuntimeError):  # uvicorn's and starlette's words for a client gone
                return Ending.LOST
        return Ending.SLOW if self._outbox.overfull else Ending.OVER

    async def _run(self) -> Ending:
        await self._conversation.run()
        return Ending.OVER

    async def _close(self, ending: Ending, writing: asyncio.Task[Ending]) -> None:
        """Send what is left, and the close."""
        if ending not in _CODES:
            return
        self._outbox.close()
        if ending is not Ending.SLOW:
            await asyncio.wait([writing], timeout=_LAST_WORDS_S)
        if self._socket.application_state is WebSocketState.CONNECTED:
            code, reason = _CODES[ending]
            try:
                async with asyncio.timeout(_LAST_WORDS_S):
                    await self._socket.close(code, reason)
            except (TimeoutError, WebSocketDisconnect, RuntimeError):
                return

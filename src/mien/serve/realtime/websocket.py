"""The protocol over a WebSocket: every message is an event as JSON text."""

from __future__ import annotations

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from mien.serve.realtime.wire import REASONS, Ending, Event, GoneError, Received, as_json
from mien.serve.refusals import RefusedError

_GONE = (1000, 1001)  # close codes of a client that means it
CODES = {
    Ending.SLOW: 1013,
    Ending.FAST: 1008,
    Ending.REPLACED: 1008,
    Ending.LONG: 1008,
    Ending.OVER: 1011,
    Ending.DRAINED: 1001,
}


class WebSocketWire:
    """A WebSocket that was accepted."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    def pack(self, event: Event) -> str:
        """Return the event as JSON, bytes in it as base64."""
        return as_json(event)

    async def receive(self) -> Received:
        """Return the next text; raises `GoneError`."""
        try:
            got = await self._socket.receive()
        except WebSocketDisconnect as gone:
            raise _gone(gone.code) from None
        if got["type"] == "websocket.disconnect":
            raise _gone(got.get("code"))
        text: str | None = got.get("text")
        if text is None:
            return RefusedError("a binary message came; events are JSON as text", "invalid_json")
        return text

    async def send(self, message: str) -> None:
        """Send a text; raises `GoneError`."""
        try:
            await self._socket.send_text(message)
        except (WebSocketDisconnect, RuntimeError):  # uvicorn's and starlette's words for a client gone
            raise GoneError(Ending.LOST) from None

    async def close(self, ending: Ending) -> None:
        """Send the close code."""
        if self._socket.application_state is WebSocketState.CONNECTED:
            try:
                await self._socket.close(CODES[ending], REASONS[ending])
            except (WebSocketDisconnect, RuntimeError):
                return


def _gone(code: int | None) -> GoneError:
    return GoneError(Ending.LEFT if code in _GONE else Ending.LOST)

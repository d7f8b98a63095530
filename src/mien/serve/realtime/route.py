"""`/v1/realtime`: a WebSocket becomes a session."""

from __future__ import annotations

from starlette.responses import JSONResponse
from starlette.websockets import WebSocket

from mien.serve.door import SUBPROTOCOL, Door
from mien.serve.realtime.connection import Connection
from mien.serve.realtime.conversation import Conversation
from mien.serve.realtime.registry import Registry
from mien.serve.realtime.settings import Mien, Settings
from mien.serve.realtime.websocket import WebSocketWire
from mien.serve.refusals import RefusedError


async def realtime(socket: WebSocket, door: Door, registry: Registry) -> None:
    """Serve a client from handshake to close."""
    query = socket.query_params
    try:
        with door.entering(socket) as owner:
            conversation = await registry.resume(query.get("session", ""), owner)
            resumed = conversation is not None
            if conversation is None:
                conversation = await registry.open(_settings(socket), owner)
    except RefusedError as error:
        registry.refused(error)
        await _refuse(socket, error)
        return
    await _serve(socket, conversation, registry, resumed=resumed)


async def _serve(socket: WebSocket, conversation: Conversation, registry: Registry, *, resumed: bool) -> None:
    offered = socket.scope.get("subprotocols", [])
    try:
        await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
        connection = Connection(WebSocketWire(socket), conversation)
    except BaseException:
        registry.leave(conversation)
        raise
    await registry.serve(conversation, connection, resumed=resumed)


def _settings(socket: WebSocket) -> Settings:
    query = socket.query_params
    kind = "transcription" if query.get("intent") == "transcription" else "realtime"
    own = Mien(persona=query.get("persona", "")[:200], language=query.get("language", "")[:200])
    return Settings.model_validate({"type": kind, "model": query.get("model", "mien")[:200], "mien": own})


async def _refuse(socket: WebSocket, error: RefusedError) -> None:
    headers = {"retry-after": "10"} if error.status == 503 else {}
    body = JSONResponse({"error": error.table()}, error.status, headers)
    await socket.send_denial_response(body)

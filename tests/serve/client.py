"""A small client of the protocol for tests: every event that comes is checked against OpenAI's types."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import websockets
from openai.types.realtime.realtime_server_event import RealtimeServerEvent
from pydantic import TypeAdapter

from mien.audio.pcm import Pcm
from mien.serve.realtime.sound import encode

STOCK: TypeAdapter[Any] = TypeAdapter(RealtimeServerEvent)
PATIENCE_S = 30.0


@dataclass
class Client:
    socket: websockets.ClientConnection
    seen: list[dict[str, Any]] = field(default_factory=list)

    async def send(self, kind: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            event = json.loads(await self.socket.recv())
        if not event["type"].startswith("mien."):
            STOCK.validate_python(event, strict=False)
        self.seen.append(event)
        return event

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        while True:
            event = await self.next()
            if event["type"] == kind and all(event.get(key) == value for key, value in fields.items()):
                return event

    async def update(self, **session: Any) -> dict[str, Any]:
        await self.send("session.update", session={"type": "realtime", **session})
        return (await self.until("session.updated"))["session"]

    async def say(self, pcm: Pcm, kind: str = "audio/pcm") -> None:
        step = pcm.rate_hz // 25
        for at in range(0, len(pcm), step):
            data = encode(pcm.samples[at : at + step], kind)
            await self.send("input_audio_buffer.append", audio=base64.b64encode(data).decode())

    async def ask(self, words: str, **response: Any) -> None:
        content = [{"type": "input_text", "text": words}]
        item = {"type": "message", "role": "user", "content": content}
        await self.send("conversation.item.create", item=item)
        await self.send("response.create", response=response)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.seen if event["type"] == kind]

    def kinds(self) -> list[str]:
        return [event["type"] for event in self.seen]


@contextlib.asynccontextmanager
async def connected(url: str, query: str = "", **options: Any) -> AsyncIterator[Client]:
    """Connect and wait for `session.created`."""
    async with websockets.connect(url + query, max_size=None, **options) as socket:
        client = Client(socket)
        await client.until("session.created")
        yield client

"""Any OpenAI-compatible chat endpoint, streamed: `POST {url}/chat/completions`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

from mien.errors import ResourceError
from mien.mind.brief import NOTHING, Brief
from mien.mind.content import Content
from mien.mind.http import Http
from mien.mind.model.deltas import Deltas, NonsenseError, ToolCall
from mien.mind.model.prompt import messages, tools
from mien.mind.model.settings import Settings
from mien.mind.model.sse import Events
from mien.mind.state import MindState

LONGEST = 8000  # characters of one answer, whatever the server sends


class LanguageModel:
    """Asks one endpoint. It is never waited for longer than its settings say."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._http = Http()

    async def answer(
        self, content: Content, state: MindState, passages: Sequence[str], brief: Brief = NOTHING
    ) -> AsyncGenerator[str | ToolCall, None]:
        """Yield text as it comes, then tool calls; `brief` is what a client adds.

        Raises `ResourceError` when nothing usable comes in time: no connection, a refusal, no token within
        `first_token_s`, no end within `total_s`, a stream that breaks off, or what is no completion.
        Text that came before is no less valid. Raises `MissingError` without the extra `mind`.
        """
        await self._http.ready()
        loop = asyncio.get_running_loop()
        began, total = loop.time(), self.settings.total_s
        until = began + min(self.settings.first_token_s, total)
        async with aclosing(self._stream(self._body(content, state, passages, brief))) as pieces:
            while True:
                try:
                    async with asyncio.timeout_at(until):
                        piece = await anext(pieces)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise self._late(loop.time() - began) from None
                except ValueError as error:
                    raise ResourceError(f"{self._url} sent nonsense: {error}") from None
                until = began + total
                yield piece

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    @property
    def _url(self) -> str:
        return f"{self.settings.url}/chat/completions"

    def _body(
        self, content: Content, state: MindState, passages: Sequence[str], brief: Brief
    ) -> dict[str, Any]:
        theirs = brief.tools()
        offered = [*tools(content), *theirs.get("tools", ())]
        told = messages(content, self.settings, state, passages, brief.instructions)
        return {
            "model": self.settings.model,
            "messages": [*told, *brief.messages()],
            "max_tokens": self.settings.max_tokens,
            "temperature": self.settings.temperature,
            "stream": True,
            **({"tools": offered} if offered else {}),
            **({"tool_choice": theirs["tool_choice"]} if theirs.get("tool_choice", "auto") != "auto" else {}),
        }

    async def _stream(self, body: dict[str, Any]) -> AsyncGenerator[str | ToolCall, None]:
        headers = {"Authorization": f"Bearer {self.settings.key}"} if self.settings.key else {}
        async with self._http.request("POST", self._url, headers=headers, body=body) as reply:
            if reply.status_code != 200:
                raise NonsenseError(f"status {reply.status_code}")
            deltas, size = Deltas(), 0
            async for text in _texts(reply.aiter_bytes(), deltas):
                size += len(text)
                yield text
                if size > LONGEST:
                    raise NonsenseError(f"over {LONGEST} characters")
            calls = deltas.calls()
            for call in calls:
                yield call
            if not deltas.ended:
                raise NonsenseError("the stream broke off")
            if not size and not calls:
                raise NonsenseError("an answer without words")

    def _late(self, after_s: float) -> ResourceError:
        return ResourceError(
            f"{self._url} was silent or not done after {after_s:.1f} s; raise first_token_s or total_s?"
        )


async def _texts(chunks: AsyncIterator[bytes], deltas: Deltas) -> AsyncIterator[str]:
    events = Events()
    async for chunk in chunks:
        for data in events.feed(chunk):
            for text in deltas.take(data):
                yield text
        if deltas.ended:
            return

"""HTTP for actions and language models: one client a mind, streamed answers, errors as mien's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mien.errors import ResourceError, require


class Http:
    """Keeps connections open between requests. It sets no time-outs: who asks knows how long it can wait."""

    def __init__(self) -> None:
        self._client: Any = None
        self._making = asyncio.Lock()

    @asynccontextmanager
    async def request(
        self, method: str, url: str, *, headers: Mapping[str, str], body: Mapping[str, Any] | None
    ) -> AsyncIterator[Any]:
        """Send a request with a JSON body and yield the reply, whose bytes may still be on their way.

        Raises `ResourceError` when the server can not be reached or breaks off, `MissingError` without
        the extra `mind`.
        """
        client = await self.ready()
        http = require("httpx2", extra="mind")
        try:
            async with client.stream(method, url, headers=headers, json=body) as reply:
                yield reply
        except (http.HTTPError, http.InvalidURL, http.StreamError) as error:
            why = str(error).strip().lower() or type(error).__name__
            raise ResourceError(f"{url} can not be reached ({why})") from None

    async def ready(self) -> Any:
        """Return the client, made once: that reads code and certificates, so a thread does it.

        Await it before a time-out begins. Raises `MissingError` without the extra `mind`.
        """
        async with self._making:
            if self._client is None:
                self._client = await asyncio.to_thread(_client)
            return self._client

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _client() -> Any:
    return require("httpx2", extra="mind").AsyncClient(timeout=None)

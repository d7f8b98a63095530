"""What waits to be sent to one client, and no more than it can bear."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any

MOST = 4 << 20  # characters


class Outbox:
    """A queue in which nobody waits; when a client does not read, it is `overfull` and closed."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._messages: deque[str] = deque()
        self._changed = asyncio.Event()
        self.held = 0
        self.closed = self.overfull = False

    def put(self, event: dict[str, Any]) -> None:
        """Add an event; behind the end it is dropped."""
        if self.closed:
            return
        text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        self._messages.append(text)
        self.held += len(text)
        if self.held > self._most:
            self.overfull = True
            self._messages.clear()
            self.close()
        self._changed.set()

    async def take(self) -> str | None:
        """Return the next message; None behind the end."""
        while not self._messages and not self.closed:
            self._changed.clear()
            await self._changed.wait()
        if not self._messages:
            return None
        text = self._messages.popleft()
        self.held -= len(text)
        return text

    def close(self) -> None:
        """Let nothing more in; what is there can still be taken."""
        self.closed = True
        self._changed.set()

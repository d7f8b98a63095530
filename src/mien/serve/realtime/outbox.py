"""What waits to be sent to one client, and no more than it can bear."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic

from mien.serve.realtime.wire import Event, Packed

MOST = 4 << 20  # characters of text, or bytes


class Outbox(Generic[Packed]):
    """A queue in which nobody waits; when a client does not read, it is `overfull` and closed."""

    def __init__(self, pack: Callable[[Event], Packed], most: int = MOST) -> None:
        self._pack: Callable[[Event], Packed] = pack
        self._most = most
        self._messages: deque[Packed] = deque()
        self._changed = asyncio.Event()
        self.held = 0
        self.closed = self.overfull = False

    def put(self, event: Event) -> None:
        """Add an event; behind the end it is dropped."""
        if self.closed:
            return
        message = self._pack(event)
        self._messages.append(message)
        self.held += len(message)
        if self.held > self._most:
            self.overfull = True
            self._messages.clear()
            self.close()
        self._changed.set()

    async def take(self) -> Packed | None:
        """Return the next message; None behind the end."""
        while not self._messages and not self.closed:
            self._changed.clear()
            await self._changed.wait()
        if not self._messages:
            return None
        message = self._messages.popleft()
        self.held -= len(message)
        return message

    def close(self) -> None:
        """Let nothing more in; what is there can still be taken."""
        self.closed = True
        self._changed.set()

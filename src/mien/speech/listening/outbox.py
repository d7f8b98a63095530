"""Events on their way to who listens to the listener: few, in order, the newest partial only."""

from __future__ import annotations

import asyncio
from collections import deque

from mien.speech.listening.events import Event, Partial

_MOST = 64  # events that may wait; a turn has about five beside its partials


class Outbox:
    """A bounded queue. A `Partial` takes the place of one that nobody has taken yet; for all else, who
    puts waits until there is room.
    """

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._room, self._some = asyncio.Event(), asyncio.Event()
        self._closed = False
        self._error: BaseException | None = None

    async def put(self, event: Event) -> None:
        """Add an event, or drop it when the box is closed."""
        if isinstance(event, Partial) and self._events and isinstance(self._events[-1], Partial):
            self._events[-1] = event
            return
        while len(self._events) >= _MOST and not self._closed:
            self._room.clear()
            await self._room.wait()
        if not self._closed:
            self._events.append(event)
            self._some.set()

    async def take(self) -> Event | None:
        """Return the next event; None when there will be no more. Raises what `close` was given."""
        while not self._events and not self._closed:
            self._some.clear()
            await self._some.wait()
        if self._events:
            self._room.set()
            return self._events.popleft()
        if self._error is not None:
            raise self._error
        return None

    def close(self, error: BaseException | None = None) -> None:
        """Let nothing more in; what is inside can still be taken, then `error` is raised."""
        self._closed = True
        self._error = self._error or error
        self._some.set()
        self._room.set()

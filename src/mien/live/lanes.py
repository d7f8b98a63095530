"""One number for all that belongs to a turn, and queues that let nothing older through."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(slots=True)
class Generation:
    """The number of what counts now; whatever carries a smaller one is void."""

    number: int = 0

    def bump(self) -> int:
        """Make void all that there is; return the new number."""
        self.number += 1
        return self.number


@dataclass(frozen=True, slots=True)
class _Held(Generic[Item]):
    item: Item
    length_ms: float
    generation: int


class Lane(Generic[Item]):
    """A queue bounded in milliseconds of speech, in order.

    `put` waits while `limit_ms` are held; an item alone may be longer. What is older than the generation is
    dropped when it is taken, so nothing of it passes however late the number changed. Items of 0 ms
    (events) never wait for room and are bounded by `most`.
    """

    def __init__(self, generation: Generation, limit_ms: float, most: int = 256) -> None:
        self._generation, self._limit_ms, self._most = generation, limit_ms, most
        self._held: deque[_Held[Item]] = deque()
        self._changed = asyncio.Event()
        self._closed = self._paused = False
        self.held_ms = 0.0

    def __len__(self) -> int:
        return len(self._held)

    async def put(self, item: Item, length_ms: float, generation: int) -> None:
        """Add an item when there is room; one of an old generation, or behind `close`, is dropped."""
        while self._is_full(length_ms) and self._counts(generation):
            self._changed.clear()
            await self._changed.wait()
        self.offer(item, length_ms, generation)

    def offer(self, item: Item, length_ms: float, generation: int) -> None:
        """Add an item without waiting, for who looks at `held_ms` before."""
        if self._counts(generation):
            self._held.append(_Held(item, length_ms, generation))
            self.held_ms += length_ms
            self._changed.set()

    def widen(self, limit_ms: float) -> None:
        """Let more wait from now on."""
        self._limit_ms = max(self._limit_ms, limit_ms)
        self._changed.set()

    def discard(self, what: Callable[[Item], bool]) -> None:
        """Take out the items that `what` names."""
        self._keep(lambda held: not what(held.item))

    async def room(self) -> None:
        """Wait until fewer than `most` items are held."""
        while len(self._held) >= self._most and not self._closed:
            self._changed.clear()
            await self._changed.wait()

    async def take(self) -> Item | None:
        """Return the next item of the current generation; None when closed and empty, or paused."""
        while not self._paused:
            held = self.taken()
            if held is not None or self._closed:
                return held
            self._changed.clear()
            await self._changed.wait()
        return None

    def taken(self) -> Item | None:
        """Return the next item of the current generation if one is there."""
        while self._held:
            held = self._pop()
            if held.generation >= self._generation.number:
                return held.item
        return None

    def drop_old(self) -> None:
        """Make room at once: drop what is older than the generation."""
        self._keep(lambda held: held.generation >= self._generation.number)

    def pause(self, *, paused: bool) -> None:
        """While paused, nothing can be taken, and who waits gets None."""
        self._paused = paused
        self._changed.set()

    def close(self) -> None:
        """Let nothing more in; what is inside can still be taken."""
        self._closed = True
        self._changed.set()

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more."""
        return self._closed and not self._held

    def _keep(self, which: Callable[[_Held[Item]], bool]) -> None:
        self._held = deque(held for held in self._held if which(held))
        self.held_ms = sum(held.length_ms for held in self._held)
        self._changed.set()

    def _pop(self) -> _Held[Item]:
        held = self._held.popleft()
        self.held_ms = self.held_ms - held.length_ms if self._held else 0.0
        self._changed.set()
        return held

    def _is_full(self, length_ms: float) -> bool:
        if length_ms <= 0:
            return len(self._held) >= self._most
        return bool(self._held) and self.held_ms + length_ms > self._limit_ms

    def _counts(self, generation: int) -> bool:
        return not self._closed and generation >= self._generation.number

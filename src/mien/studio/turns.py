"""Whose turn it is: what somebody looks at comes before what is exported, and that before small pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import IntEnum
from typing import TypeVar

from mien.engine.priority import PriorityThread

T = TypeVar("T")


class Rank(IntEnum):
    """How urgent work is."""

    LIVE = 0
    EXPORT = 1
    THUMBNAIL = 2


class Turns:
    """Work waits for its turn: by rank, then in the order in which it came."""

    def __init__(self) -> None:
        self._thread = PriorityThread("mien-studio")

    async def do(self, rank: Rank, work: Callable[[], T]) -> T:
        """Return what `work` returns or raises, once it had its turn; what was cancelled is dropped."""
        return await asyncio.wrap_future(self._thread.submit(work, rank))

    def close(self) -> None:
        """End the thread after what it does now, without waiting for that; what waits is dropped."""
        self._thread.close(wait=False)

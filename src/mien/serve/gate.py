"""Work that only so many may do at once, and for which only so many may wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mien.serve.refusals import RefusedError


class Gate:
    """`at_once` work, `waiting` more wait; who comes then is refused."""

    def __init__(self, what: str, at_once: int, waiting: int) -> None:
        self._what, self._most = what, at_once + waiting
        self._places = asyncio.Semaphore(at_once)
        self.inside = 0

    @asynccontextmanager
    async def pass_through(self) -> AsyncIterator[None]:
        """Hold a place; raises `RefusedError` (503) when too many wait."""
        if self.inside >= self._most:
            raise RefusedError(
                f"{self.inside} requests for {self._what} are here already; try again later",
                "busy", None, "server_error", 503,
            )  # fmt: skip
        self.inside += 1
        try:
            async with self._places:
                yield
        finally:
            self.inside -= 1

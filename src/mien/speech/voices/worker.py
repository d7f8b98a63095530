"""A voice's one inference thread, seen from the event loop as a stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from mien.engine.stop import Stop

Item = TypeVar("Item")


class Worker:
    """Runs generators one step at a time in a thread of its own; several streams take turns."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def stream(self, make: Callable[[Stop], Generator[Item, None, None]]) -> AsyncGenerator[Item, None]:
        """Yield what `make` yields. Closing the stream sets the `Stop` that `make` was given."""
        stop = Stop()
        items = make(stop)
        loop = asyncio.get_running_loop()
        try:
            while (item := await loop.run_in_executor(self._executor, next, items, None)) is not None:
                yield item
        finally:
            stop.set()
            self._executor.submit(items.close)

"""One thread that does the most urgent work first."""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from typing import Any, TypeVar

T = TypeVar("T")


class Rank(IntEnum):
    """How urgent work is."""

    LIVE = 0
    EXPORT = 1
    THUMBNAIL = 2
    END = 3


class Turns:
    """Work waits for its turn: by rank, then in the order in which it came."""

    def __init__(self) -> None:
        self._waiting: queue.PriorityQueue[tuple[int, int, Future[Any], Callable[[], Any] | None]]
        self._waiting = queue.PriorityQueue()
        self._count = itertools.count()
        self._thread = threading.Thread(target=self._work, name="mien-studio", daemon=True)
        self._thread.start()

    async def do(self, rank: Rank, work: Callable[[], T]) -> T:
        """Return what `work` returns or raises, once it had its turn; what was cancelled is dropped."""
        done: Future[T] = Future()
        self._waiting.put((rank, next(self._count), done, work))
        return await asyncio.wrap_future(done)

    def _work(self) -> None:
        while True:
            _, _, done, work = self._waiting.get()
            if work is None:
                return
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001  # it is raised where the result is awaited
                done.set_exception(error)

    def close(self) -> None:
        """End the thread after what it does now; what waits is dropped."""
        while True:
            try:
                self._waiting.get_nowait()[2].cancel()
            except queue.Empty:
                break
        self._waiting.put((Rank.END, next(self._count), Future(), None))

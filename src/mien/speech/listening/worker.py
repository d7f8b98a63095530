"""One thread that computes for many: what is needed soonest first."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")

URGENT, USEFUL = 0, 1  # somebody waits for it; it may come later


class Worker:
    """Runs what is submitted in a daemon thread, the urgent first, else in order."""

    def __init__(self, name: str) -> None:
        self._order = itertools.count()
        self._waiting: list[tuple[int, int, Future[Any], Callable[[], Any]]] = []
        self._changed = threading.Condition()
        self._closed = False
        self._running = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether something runs or waits; False only when who waited for the last one was told."""
        with self._changed:
            return self._running or bool(self._waiting)

    def submit(self, work: Callable[[], Result], urgency: int = USEFUL) -> Future[Result]:
        """Run `work` when its turn comes; cancelling the future before takes it out."""
        future: Future[Result] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("the worker is closed")
            heapq.heappush(self._waiting, (urgency, next(self._order), future, work))
            self._changed.notify()
        return future

    def close(self) -> None:
        """Cancel what waits, and end the thread when what runs is done."""
        with self._changed:
            self._closed = True
            for _, _, future, _ in self._waiting:
                future.cancel()
            self._waiting.clear()
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                _, _, future, work = heapq.heappop(self._waiting)
                self._running = True
            if future.set_running_or_notify_cancel():
                _complete(future, work)
            with self._changed:
                self._running = False


def _complete(future: Future[Any], work: Callable[[], Any]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
        future.set_exception(error)
    else:
        future.set_result(result)

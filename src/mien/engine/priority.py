"""One thread that computes for many: what is needed soonest first."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mien.engine.stop import Stop

Result = TypeVar("Result")

URGENT, USEFUL = 0, 1  # somebody waits for it; it may come later


@dataclass(order=True, slots=True)
class _Work:
    urgency: int
    number: int
    future: Future[Any] = field(compare=False)
    run: Callable[[], Any] = field(compare=False)
    stop: Stop | None = field(compare=False)


class PriorityThread:
    """Runs what is submitted in a daemon thread, the urgent first, else in order. What is only useful and can
    be stopped gives way to what is urgent: its future then has `Stopped`.
    """

    def __init__(self, name: str) -> None:
        self.sharing = 0  # streams that want it for what is spoken now; each keeps this number
        self._order = itertools.count()
        self._waiting: list[_Work] = []
        self._changed = threading.Condition()
        self._closed = False
        self._running: _Work | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether something runs or waits; False only when who waited for the last one was told."""
        with self._changed:
            return self._running is not None or bool(self._waiting)

    def submit(
        self, run: Callable[[], Result], urgency: int = USEFUL, stop: Stop | None = None
    ) -> Future[Result]:
        """Call `run` when its turn comes; cancelling the future before takes it out. `stop` ends it."""
        future: Future[Result] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("the thread is closed")
            work = _Work(urgency, next(self._order), future, run, stop)
            heapq.heappush(self._waiting, work)
            if self._running is not None and self._running.urgency > urgency and self._running.stop:
                self._running.stop.set()
            self._changed.notify()
        return future

    def close(self, *, wait: bool = True) -> None:
        """Cancel what waits, and end the thread when what runs is done; `wait` for that."""
        with self._changed:
            self._closed = True
            for work in self._waiting:
                work.future.cancel()
            self._waiting.clear()
            self._changed.notify()
        if wait:
            self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                work = self._running = heapq.heappop(self._waiting)
            if work.future.set_running_or_notify_cancel():
                _complete(work.future, work.run)
            with self._changed:
                self._running = None


def _complete(future: Future[Any], work: Callable[[], Any]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
        future.set_exception(error)
    else:
        future.set_result(result)

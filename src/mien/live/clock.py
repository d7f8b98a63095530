"""Time that is not spent waiting: an event loop that skips to the next timer when there is nothing to do."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    """Seconds that only grow."""

    def __call__(self) -> float:
        """Return the time."""


def now() -> float:
    """Return the running event loop's time, s: real, or that of `run`."""
    return asyncio.get_running_loop().time()


def idle() -> bool:
    """Tell that no thread works besides those that the event loop knows of."""
    return False


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop whose waiting takes no time.

    When no task can go on and no thread works for one, its clock jumps to the next timer. `busy` says whether
    a thread works that was not started by `run_in_executor`. `counts_work`: computing takes as long as it
    takes; otherwise it takes no time at all, and all that happens depends on timers alone.
    """

    def __init__(self, busy: Callable[[], bool] = idle, *, counts_work: bool = False) -> None:
        self._began, self._skipped = time.monotonic(), 0.0
        self._counts_work, self._others = counts_work, busy
        self._threads = 0
        super().__init__(_Skipping(self))

    def time(self) -> float:
        """Return seconds since the loop was made."""
        worked = time.monotonic() - self._began if self._counts_work else 0.0
        return worked + self._skipped

    def run_in_executor(  # type: ignore[override]  # the base class types a coroutine, and returns a future
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """Run `func` in a thread; the clock does not jump while it runs."""
        future: asyncio.Future[T] = super().run_in_executor(executor, func, *args)
        self._threads += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, _future: asyncio.Future[Any]) -> None:
        self._threads -= 1

    def is_busy(self) -> bool:
        """Return whether a thread works for this loop."""
        return self._threads > 0 or self._others()

    def skip(self, seconds: float) -> None:
        """Let time pass."""
        self._skipped += seconds


class _Skipping(selectors.DefaultSelector):
    """Waits for files only as long as a thread may still write to one."""

    def __init__(self, loop: SkippingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(timeout)
        busy = self._loop.is_busy()  # before looking: who ends after it has written
        ready = super().select(0)
        if ready:
            return ready
        if busy or timeout is None:
            return super().select(_PATIENCE_S if timeout is None else min(timeout, _PATIENCE_S))
        self._loop.skip(timeout)
        return []


_PATIENCE_S = 0.05  # how long a thread that does not tell its end may hold the clock


def run(main: Coroutine[Any, Any, T], busy: Callable[[], bool] = idle, *, counts_work: bool = False) -> T:
    """Run `main` as `asyncio.run` does, in time that is not spent waiting; see `SkippingLoop`."""
    with asyncio.Runner(loop_factory=lambda: SkippingLoop(busy, counts_work=counts_work)) as runner:
        return runner.run(main)

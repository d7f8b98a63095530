"""Ctrl-C and SIGTERM: each ends the command once, however often they come, so that it can tidy up."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from mien import atomic

T = TypeVar("T")

PATIENCE_S = 5.0  # how long tidying up may take: compiling a kernel, for example, can not be interrupted
MESSAGE = "stopped; nothing was left half-written"
CODE = 130  # 128 + SIGINT
_SHOW_CURSOR = "\x1b[?25h"  # a progress bar hides it


class Stopping:
    """Handles the first signal; those that follow while the command tidies up are not heard.

    `cancel`: called in place of raising `KeyboardInterrupt`, while there is work that can be cancelled.
    """

    def __init__(self) -> None:
        self.cancel: Callable[[], object] | None = None
        self._heard_s: float | None = None
        self._leaving: threading.Timer | None = None

    def install(self) -> None:
        """Handle Ctrl-C and SIGTERM from now on."""
        self._heard_s = None
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._heard)

    def end(self) -> None:
        """Hear no signal any more: what is left to do is to say why, and to exit."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        now_s = time.monotonic()
        first = self._heard_s is None
        if self._heard_s is not None and now_s - self._heard_s < PATIENCE_S:
            return
        self._heard_s = now_s
        if self.cancel is None or not first:
            raise KeyboardInterrupt
        self._leaving = threading.Timer(PATIENCE_S, leave)
        self._leaving.daemon = True
        self._leaving.start()
        self.cancel()

    def ended(self) -> None:
        """The work has ended in time: signals raise `KeyboardInterrupt` again."""
        self.cancel = None
        if self._leaving is not None:
            self._leaving.cancel()


def leave() -> None:
    """End the process at once, with no file half-written: the work does not heed that it is cancelled."""
    atomic.abandon()
    sys.stderr.write(f"{_SHOW_CURSOR if sys.stderr.isatty() else ''}mien: {MESSAGE}\n")
    sys.stderr.flush()
    os._exit(CODE)


STOPPING = Stopping()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work`; a signal cancels it, and is raised as `KeyboardInterrupt` when it has tidied up."""
    try:
        return asyncio.run(_cancellable(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        STOPPING.ended()


async def _cancellable(work: Coroutine[Any, Any, T]) -> T:
    """Let signals cancel the task, from outside its event loop's own steps."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    STOPPING.cancel = lambda: loop.call_soon_threadsafe(task.cancel)
    return await work

"""Stopping a model that is running."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stopped(Exception):  # noqa: N818 - nothing went wrong: who asked for it knows
    """The run was given up because its `Stop` was set."""


class Stop:
    """Tells a run in another thread to end soon; once set it stays set."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._set = False
        self._actions: list[Callable[[], None]] = []

    @property
    def is_set(self) -> bool:
        """Whether `set` was called."""
        return self._set

    def set(self) -> None:
        """Stop what runs now and what would be started with this later."""
        with self._lock:
            self._set = True
            for action in self._actions:
                action()

    @contextmanager
    def watched(self, action: Callable[[], None]) -> Iterator[None]:
        """Call `action` when `set` is called inside the block by any thread; raise `Stopped` if it was."""
        with self._lock:
            if self._set:
                raise Stopped
            self._actions.append(action)
        try:
            yield
        finally:
            with self._lock:
                self._actions.remove(action)

"""Threads that take turns at a dispatcher; a request starts them, and they end when none came for a while."""

from __future__ import annotations

import threading
from typing import Final, Protocol

from mien.engine.runtime.waiting import Waiting
from mien.engine.stop import Stopped

IDLE_S: Final = 10.0


class Turns(Protocol):
    """A queue and what serves it."""

    @property
    def waiting(self) -> Waiting:
        """The queue."""

    def turn(self) -> bool:
        """Run one batch; return whether there was one."""


class Workers:
    """`count` threads; each runs one batch at a time, and ends when none came for `idle_s`."""

    def __init__(self, turns: Turns, count: int = 1, name: str = "", idle_s: float = IDLE_S) -> None:
        self._turns, self._count, self._name, self._idle_s = turns, count, name or "mien-engine", idle_s
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> None:
        """Start the threads unless they run already, for what was put into the queue before.

        Raises `Stopped` after `close`.
        """
        with self._lock:
            if self._closed:
                raise Stopped
            # not those that failed, could not be started, or stayed behind when the process was forked
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            while len(self._threads) < self._count:
                name = f"{self._name}-{len(self._threads)}"
                thread = threading.Thread(target=self._work, name=name, daemon=True)
                self._threads.append(thread)
                thread.start()

    def close(self) -> None:
        """End the threads after the batch they run; what still waits gets `Stopped`."""
        with self._lock:
            self._closed = True
        for ticket in self._turns.waiting.close():
            ticket.done(None, Stopped())
        for thread in list(self._threads):
            thread.join()

    def _work(self) -> None:
        waiting = self._turns.waiting
        while True:
            with waiting.ready:
                waiting.ready.wait_for(lambda: self._closed or len(waiting) > 0, self._idle_s)
            if self._closed or self._leaves():
                return
            try:
                self._turns.turn()
            except BaseException as error:  # the queue itself is broken: nobody must wait for ever
                with self._lock:
                    self._forget()
                for ticket in waiting.withdraw():
                    ticket.done(None, error)
                raise

    def _leaves(self) -> bool:
        """Whether this thread ends, so that an engine that nobody uses can be given up."""
        with self._lock:
            idle = not len(self._turns.waiting)
            if idle:
                self._forget()
            return idle

    def _forget(self) -> None:
        """Let another thread take this one's place."""
        here = threading.current_thread()
        self._threads = [thread for thread in self._threads if thread is not here]

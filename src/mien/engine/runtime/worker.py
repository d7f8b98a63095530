"""Threads that take turns at a dispatcher; the first request starts them."""

from __future__ import annotations

import threading

from mien.engine.runtime.dispatcher import Dispatcher
from mien.engine.stop import Stopped


class Workers:
    """`count` threads; each runs one batch at a time."""

    def __init__(self, dispatcher: Dispatcher, count: int = 1) -> None:
        self._dispatcher, self._count = dispatcher, count
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> None:
        """Start the threads unless they run already; raises `Stopped` after `close`."""
        if self._threads and not self._closed:
            return
        with self._lock:
            if self._closed:
                raise Stopped
            while len(self._threads) < self._count:
                name = f"mien-engine-{len(self._threads)}"
                thread = threading.Thread(target=self._work, name=name, daemon=True)
                self._threads.append(thread)
                thread.start()

    def close(self) -> None:
        """End the threads after the batch they run; what still waits gets `Stopped`."""
        with self._lock:
            self._closed = True
        for ticket in self._dispatcher.waiting.close():
            ticket.done(None, Stopped())
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        waiting = self._dispatcher.waiting
        while True:
            with waiting.ready:
                waiting.ready.wait_for(lambda: self._closed or len(waiting) > 0)
            if self._closed:
                return
            self._dispatcher.turn()

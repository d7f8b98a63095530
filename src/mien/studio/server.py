"""A uvicorn server that ends on Ctrl-C as a program does whose work is done."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


class Server(uvicorn.Server):
    """Handles SIGINT and SIGTERM while it runs; unlike its parent it does not raise them again at the end."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server, and give the handlers back."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

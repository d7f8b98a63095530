"""A uvicorn server that ends on Ctrl-C as a program does whose work is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from mien import signals


class Server(uvicorn.Server):
    """Handles SIGINT and SIGTERM while it runs, and calls `ending` when one comes; unlike its parent it does
    not raise them again at the end.
    """

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the work of requests first: the server waits for them."""
        self._ending()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server, and give the handlers back."""
        with signals.handled(self.handle_exit):
            yield

"""Ctrl-C and SIGTERM while something runs that ends in its own way."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Handler = Callable[[int, FrameType | None], object]


@contextmanager
def handled(handle: Handler) -> Iterator[None]:
    """Let `handle` take SIGINT and SIGTERM inside the block, and give the handlers back; main thread only.

    Unlike uvicorn's own, it does not raise them again at the end.
    """
    before = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)

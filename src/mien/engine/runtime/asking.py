"""Whose work a thread does: inside `asking`, every run of a served engine waits its turn in the queue."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import chain, repeat

from mien.engine.runtime.dispatcher import Done
from mien.engine.runtime.ticket import Outputs, Terms, Ticket
from mien.engine.stop import Stop, Stopped

_asked: ContextVar[Iterator[Terms] | None] = ContextVar("mien_terms", default=None)


@contextmanager
def asking(terms: Terms, then: Terms | None = None) -> Iterator[None]:
    """Run engines on these terms inside the block, in this thread or task; `then`: all runs but the first.

    What waits for an engine is then ordered by priority, deadline and fair shares between sessions, and
    batched where that was asked for. `run` blocks meanwhile: use it in threads, and `submit` in event loops.
    """
    token = _asked.set(chain([terms], repeat(then or terms)))
    try:
        yield
    finally:
        _asked.reset(token)


def asked() -> Terms | None:
    """Return the terms that this thread or task asks on next; None outside of `asking`."""
    terms = _asked.get()
    return None if terms is None else next(terms)


def wait(offer: Callable[[Done], Ticket], stop: Stop | None) -> Outputs:
    """Offer a request to a queue and wait for its outputs.

    Raises what went wrong with it, and `Stopped` once `stop` is set.
    """
    future: Future[Outputs] = Future()

    def done(outputs: Outputs | None, error: BaseException | None) -> None:
        with suppress(InvalidStateError):  # it was stopped before
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(dict(outputs or {}))

    ticket = offer(done)
    with (stop or Stop()).watched(lambda: done(None, Stopped())):
        try:
            return future.result()
        finally:
            ticket.cancelled = True

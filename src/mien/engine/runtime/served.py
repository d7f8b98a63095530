"""The engine as its users hold it: run it now, or let it be batched with what others ask."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from weakref import WeakSet

from mien.engine.engine import Engine, Tensor
from mien.engine.runtime.asking import asked, wait
from mien.engine.runtime.bound import BoundEngine
from mien.engine.runtime.breaker import State
from mien.engine.runtime.chain import Chain, Link
from mien.engine.runtime.dispatcher import Counts, Dispatcher, Done
from mien.engine.runtime.exchange import Exchange
from mien.engine.runtime.line import Line
from mien.engine.runtime.penalty import Penalty
from mien.engine.runtime.proof import TOLERANCE
from mien.engine.runtime.rings import Residency, Rings
from mien.engine.runtime.share import Inputs, Share, Verdict
from mien.engine.runtime.ticket import ANYONE, Clock, Outputs, Terms, Ticket
from mien.engine.runtime.worker import Workers
from mien.engine.stop import Stop, Stopped
from mien.engine.wrapper import Around


@dataclass(frozen=True, slots=True)
class Settings:
    """How requests are batched.

    `most`: requests in a batch. `queue_ms`: predicted work that may wait; more is refused. `workers`: threads
    that run batches, one GPU stream each. `line`: a queue with threads of its own that other engines share
    (the two before do not count then). `ring_bytes`: arrays kept for outputs.
    `tolerance`: how far a batch's results may be from single ones, of an output's largest value; None: 1e-4,
    on a GPU with TF32 1e-2 (fp16 wants that too).
    """

    most: int = 16
    queue_ms: float = 2_000.0
    workers: int = 1
    ring_bytes: int = 256 << 20
    line: Line | None = None
    tolerance: float | None = None


DEFAULTS = Settings()
_living: WeakSet[ServedEngine] = WeakSet()


def living() -> list[ServedEngine]:
    """Return the engines of this process that somebody holds, for who watches them."""
    return [engine for engine in list(_living) if engine.name]


class ServedEngine(Around):
    """A loaded engine that many may share; safe to call from several threads and event loops."""

    _engine: Exchange

    def __init__(
        self,
        engine: Engine,
        settings: Settings = DEFAULTS,
        clock: Clock = time.monotonic,
        opens: Callable[[Path], Engine] | None = None,
        name: str = "",
    ) -> None:
        """`opens` loads what `swap` is given, on this engine's machine. `name`: for who watches."""
        self.name = name
        self._opens = opens or _open
        self.rings = Rings(settings.ring_bytes)
        self._chain = engine if isinstance(engine, Chain) else None
        self._engine = Exchange(BoundEngine(engine, self.rings), self._renewed)
        self._dispatcher = Dispatcher(
            self._engine,
            clock,
            most=settings.most,
            queue_ms=settings.queue_ms,
            tolerance=TOLERANCE if settings.tolerance is None else settings.tolerance,
            waiting=settings.line.waiting if settings.line else None,
        )
        self._own = settings.line is None
        self._workers = (
            settings.line.workers if settings.line else Workers(self._dispatcher, settings.workers)
        )
        _living.add(self)

    @property
    def counts(self) -> Counts:
        """What went through the queue so far."""
        return self._dispatcher.counts

    @property
    def unbatched(self) -> str:
        """Why requests are run one by one; `""` while they may be batched."""
        return self._dispatcher.unbatched

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> Outputs:
        """Compute every output now, in this thread, past the queue; inside `asking`, through it.

        Raises as `Engine.run`; through the queue also as `submit`.
        """
        if (terms := asked()) is not None:
            return wait(lambda done: self._offer(inputs, terms, done, stop), stop)
        outputs = self._engine.run(stop, **inputs)
        self.counts.ran(1)
        return outputs

    def warm_up(self, **inputs: Tensor) -> None:
        """Learn what batches of these inputs cost and whether they give the same as single runs."""
        self._dispatcher.warm_up(inputs)

    async def submit(self, terms: Terms = ANYONE, /, **inputs: Tensor) -> Outputs:
        """Compute every output in a batch with what others ask at the same time.

        Raises `InputError` for inputs that the model does not take, `ResourceError` when too much work waits,
        and `Stopped` when a newer generation of the session came or the engine was closed. A task that is
        cancelled leaves the queue. A deadline that was missed still gives its result.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outputs] = loop.create_future()

        def done(outputs: Outputs | None, error: BaseException | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_settle, future, outputs, error)

        ticket = self._offer(inputs, terms, done)
        try:
            return await future
        finally:
            ticket.cancelled = True

    def _offer(self, inputs: Inputs, terms: Terms, done: Done, stop: Stop | None = None) -> Ticket:
        ticket = self._dispatcher.offer(inputs, terms, done, stop)
        self._workers.start()
        return ticket

    def advance(self, session: Hashable, generation: int) -> None:
        """Drop what waits of older generations of a session."""
        self._dispatcher.waiting.advance(session, generation)

    def swap(
        self, new: Path | str, canary: Sequence[Inputs] | Share, *, rate_hz: int | None = None
    ) -> Future[Verdict]:
        """Load another engine beside this one and let it take over once its canary is through.

        `canary`: inputs on which both run now, or a share of the live requests. The outputs must keep the
        budget of the new engine's manifest, or a relative error of 0.1 %. Not one request is lost: what runs
        finishes on the old engine, and on failure it stays. Fall-backs stay. Live requests do not wait for
        the new engine, which runs in a thread of its own. Raises as loading does, and `InputError`.
        """
        from mien.engine.runtime.canary import Comparer, budget_of

        path = Path(new)
        loaded = self._opens(path)
        comparer = Comparer(BoundEngine(loaded, self.rings), budget_of(path, rate_hz), rate_hz)
        chain = self._chain
        beside = loaded if chain is None else chain.replaced(Link(path.name, lambda: loaded))
        return self._engine.swap(BoundEngine(beside, self.rings), comparer, canary)

    def costs(self, **inputs: Tensor) -> dict[int, float]:
        """Return what batches of such inputs were measured to take: requests → seconds."""
        return self._dispatcher.curve(inputs)

    def states(self) -> dict[str, str]:
        """Return the state of each engine of a chain by name; empty for one alone."""
        return self._chain.states() if self._chain is not None else {}

    def breakers(self) -> dict[str, State]:
        """Return the same as states of breakers."""
        return self._chain.breakers() if self._chain is not None else {}

    def penalties(self) -> list[Penalty]:
        """Return what each fall-back of a chain was measured to cost; empty for one alone."""
        return self._chain.penalties() if self._chain is not None else []

    def residency(self) -> Residency:
        """Return what the arrays for outputs take now."""
        return self.rings.residency()

    def _renewed(self, new: Engine) -> None:
        inner = new.engine if isinstance(new, BoundEngine) else new
        self._chain = inner if isinstance(inner, Chain) else None
        self._dispatcher.renew()

    def close(self) -> None:
        """End the workers and a canary; what still waits raises `Stopped`."""
        self._engine.close()
        if self._own:
            self._workers.close()
        for ticket in self._dispatcher.waiting.withdraw(self._dispatcher):
            ticket.done(None, Stopped())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _open(path: Path) -> Engine:
    from mien.engine import package

    return package.load(path)


def _settle(
    future: asyncio.Future[Outputs], outputs: Mapping[str, Tensor] | None, error: BaseException | None
) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(dict(outputs or {}))

"""From the queue to the engine and back, one batch a turn; no thread and no event loop of its own."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mien.engine.engine import Engine, Tensor
from mien.engine.inputs import check_inputs
from mien.engine.runtime import proof
from mien.engine.runtime.cost import Costs
from mien.engine.runtime.layout import Layout
from mien.engine.runtime.ticket import Clock, Outputs, Terms, Ticket
from mien.engine.runtime.waiting import Waiting
from mien.engine.stop import Stop, Stopped
from mien.errors import InputError, MienError

Done = Callable[[Outputs | None, BaseException | None], None]
SIZES: Final = (1, 2, 4, 8, 16, 32, 64)
_WARM_RUNS: Final = 2


@dataclass(slots=True)
class Counts:
    """What went through: requests, runs, deadlines missed, and what was dropped or failed.

    `batches`: runs by how many requests they were for. Several threads may count.
    """

    requests: int = 0
    runs: int = 0
    missed: int = 0
    failed: int = 0
    refused: int = 0
    batches: Counter[int] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ran(self, requests: int) -> None:
        """Count a run."""
        with self._lock:
            self.batches[requests] += 1


class Dispatcher:
    """Batches the requests for one engine; `turn` may be called by several worker threads."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        *,
        most: int = 16,
        queue_ms: float = 2_000.0,
        tolerance: float = proof.TOLERANCE,
        waiting: Waiting | None = None,
    ) -> None:
        """`waiting`: a queue that other engines share; `queue_ms` is then its own."""
        self.costs, self.counts, self.most = Costs(), Counts(), most
        own = Waiting(self.costs, clock, most=most, limit_s=queue_ms / 1e3)
        self.waiting = own if waiting is None else waiting
        self.unbatched = ""  # why requests run alone; empty while they may be batched
        self._engine, self._clock = engine, clock
        self._layout = Layout(engine)
        self._proven, self._tolerance = False, tolerance
        self._proving = threading.Lock()
        if not self._layout.stacks:
            self._give_up("its inputs and outputs have no first axis of a free size in common")

    def warm_up(self, inputs: Mapping[str, Tensor]) -> None:
        """Run batches of `inputs` to learn what each size costs, and whether batches give the same."""
        self._prove([inputs, inputs])
        kind, numbers = self._kind(inputs), _numbers(inputs)
        for size in [size for size in SIZES if size <= self.most]:
            joined = self._layout.join([inputs] * size)
            self._engine.run(**joined)  # the first run of a size allocates
            taken = [self._timed(joined)[1] for _ in range(_WARM_RUNS)]
            self.costs.record(kind, size, min(taken), numbers)
            if self.unbatched:
                return

    def renew(self) -> None:
        """Try batches again before they are believed: another engine has taken over."""
        self._proven = False

    def curve(self, inputs: Mapping[str, Tensor]) -> dict[int, float]:
        """Return what was measured of such inputs: requests in a batch → seconds."""
        return self.costs.curve(self._kind(inputs))

    def offer(
        self, inputs: Mapping[str, Tensor], terms: Terms, done: Done, stop: Stop | None = None
    ) -> Ticket:
        """Put a request into the queue; raises `InputError`, and `ResourceError` when the queue is full."""
        check_inputs("engine", self._engine.inputs, inputs)
        deadline = None if terms.within_s is None else self._clock() + terms.within_s
        kind = self._kind(inputs)
        ticket = Ticket(dict(inputs), kind, _numbers(inputs), terms, deadline, done, stop, self)
        try:
            self.waiting.offer(ticket)
        except MienError:
            self.counts.refused += 1
            raise
        self.counts.requests += 1
        return ticket

    def turn(self) -> bool:
        """Run one batch; return whether there was one. Whatever goes wrong belongs to those who asked."""
        batch = self.waiting.take()
        if batch:
            self.serve(batch)
        return bool(batch)

    def serve(self, batch: Sequence[Ticket]) -> None:
        """Run requests of one kind together; each is told its result."""
        try:
            if len(batch) > 1 and not self._proven:
                self._prove([ticket.inputs for ticket in batch[:2]])
        except Exception as error:  # noqa: BLE001 - as in `_together`
            for ticket in batch:
                self._failed(ticket, error)
            return
        for each in [[ticket] for ticket in batch] if self.unbatched else [batch]:
            self._together(each)

    def _kind(self, inputs: Mapping[str, Tensor]) -> object:
        """Return what requests have in common that go together; of this engine alone, where others share."""
        return id(self), self._layout.kind(inputs) if not self.unbatched else _shapes(inputs)

    def _prove(self, requests: Sequence[Mapping[str, Tensor]]) -> None:
        """Let two requests run alone and together, once; what is not the same is never batched.

        Another worker waits for it, and runs no batch that is not proven yet.
        """
        with self._proving:
            if self._proven:
                return
            if not self.unbatched and (
                reason := proof.refuted(self._engine, self._layout, requests, self._tolerance)
            ):
                self._give_up(f"a batch gives other results: {reason}")
            self._proven = True

    def _give_up(self, reason: str) -> None:
        self.unbatched = reason
        self.most = 1

    def _together(self, batch: Sequence[Ticket]) -> None:
        requests = [ticket.inputs for ticket in batch]
        try:
            stop = batch[0].stop if len(batch) == 1 else None
            outputs, seconds = self._timed(self._layout.join(requests), stop)
            shares = self._layout.split(requests, outputs)
        except InputError as error:
            if len(batch) == 1:
                self._failed(batch[0], error)
                return
            for ticket in batch:  # one of them is to blame; the others must not suffer
                self._together([ticket])
            return
        except Stopped as error:
            for ticket in batch:
                ticket.done(None, error)
            return
        except Exception as error:  # noqa: BLE001 - it belongs to the callers, and is raised there
            for ticket in batch:
                self._failed(ticket, error)
            return
        self.costs.record(batch[0].kind, len(batch), seconds, batch[0].numbers)
        self.counts.ran(len(batch))
        for ticket, share in zip(batch, shares, strict=True):
            self._finished(ticket, share)

    def _timed(self, inputs: Mapping[str, Tensor], stop: Stop | None = None) -> tuple[Outputs, float]:
        began = self._clock()
        outputs = self._engine.run(stop, **inputs)
        self.counts.runs += 1
        return outputs, self._clock() - began

    def _finished(self, ticket: Ticket, outputs: Outputs) -> None:
        if ticket.deadline is not None and self._clock() > ticket.deadline:
            self.counts.missed += 1
        ticket.done(outputs, None)

    def _failed(self, ticket: Ticket, error: BaseException) -> None:
        self.counts.failed += 1
        ticket.done(None, error)


def _numbers(inputs: Mapping[str, Tensor]) -> int:
    return sum(value.size for value in inputs.values())


def _shapes(inputs: Mapping[str, Tensor]) -> object:
    return tuple((name, value.shape) for name, value in sorted(inputs.items()))

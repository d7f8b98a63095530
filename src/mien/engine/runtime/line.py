"""One queue before several engines that share a processor: what is needed first goes first among all."""

from __future__ import annotations

import time

from mien.engine.runtime.cost import Costs
from mien.engine.runtime.ticket import Clock
from mien.engine.runtime.waiting import Waiting
from mien.engine.runtime.worker import IDLE_S, Workers


class Line:
    """What requests of all engines that were loaded with it wait in; `workers` run at the same time.

    `queue_ms`: predicted work that may wait. `idle_s`: after so long without work the threads end. Put
    engines together whose runs are of like length: who waits, waits for a whole run of another.
    """

    def __init__(
        self,
        workers: int = 1,
        queue_ms: float = 2_000.0,
        clock: Clock = time.monotonic,
        name: str = "",
        idle_s: float = IDLE_S,
    ) -> None:
        self.waiting = Waiting(Costs(), clock, most=1, limit_s=queue_ms / 1e3)
        self.workers = Workers(self, workers, name, idle_s)

    def turn(self) -> bool:
        """Let the engine that is asked first run one batch; return whether there was one."""
        batch = self.waiting.take()
        if batch and batch[0].home is not None:
            batch[0].home.serve(batch)
        return bool(batch)

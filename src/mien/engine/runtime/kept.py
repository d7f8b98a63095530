"""Which deadlines of a queue with requests of several kinds are kept, whatever runs first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from mien.engine.runtime.cost import Costs
from mien.engine.runtime.deadlines import Schedule, schedule
from mien.engine.runtime.ticket import Ticket


class Kept:
    """The deadlines that can be kept from now on, of each kind by itself."""

    def __init__(
        self, of: Callable[[Ticket], tuple[Costs, int]], timed: Sequence[Ticket], now: float
    ) -> None:
        """`of`: what a ticket's runs cost, and how many go together at most."""
        self._of, self._now = of, now
        self._kinds: dict[Hashable, list[Ticket]] = {}
        for ticket in timed:
            self._kinds.setdefault(ticket.kind, []).append(ticket)
        self._plans = {kind: self._plan(kind, now) for kind in self._kinds}

    def also_after(self, batch: Sequence[Ticket]) -> bool:
        """Whether no fewer deadlines are kept when `batch` runs first."""
        end = self._now + self._cost(batch[0], len(batch))
        gone = set(map(id, batch))
        done = sum(ticket.deadline is not None and end <= ticket.deadline for ticket in batch)
        for kind, plan in self._plans.items():
            if not plan.met:
                continue
            after = len(self._plan(kind, end, gone).met) + (done if kind == batch[0].kind else 0)
            if after < len(plan.met):
                return False
        return True

    def urgent(self) -> tuple[Ticket, ...]:
        """Return the first batch of the kind whose deadline comes first; empty when none can be kept."""
        plans = [plan for plan in self._plans.values() if plan.met]
        return min(plans, key=lambda plan: plan.met[0].deadline or 0.0).first if plans else ()

    def _plan(self, kind: Hashable, start: float, gone: AbstractSet[int] = frozenset()) -> Schedule:
        left = [ticket for ticket in self._kinds[kind] if id(ticket) not in gone]
        cost = partial(self._cost, self._kinds[kind][0])
        return schedule(left, start, cost, self._of(self._kinds[kind][0])[1])

    def _cost(self, like: Ticket, count: int) -> float:
        return self._of(like)[0].predict(like.kind, count, like.numbers)

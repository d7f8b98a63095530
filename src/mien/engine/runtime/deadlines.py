"""Which deadlines can be met, and in which batches: earliest deadline first, sizes by dynamic programming.

Requests of one kind cost the same, so an order by deadline loses nothing, and batches are consecutive in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mien.engine.runtime.ticket import Ticket

Cost = Callable[[int], float]
"""Requests in a batch → seconds."""
LOOKAHEAD = 32  # deadlines looked at, the earliest ones


@dataclass(frozen=True, slots=True)
class Schedule:
    """Those that can be met by deadline, and the sizes of the batches that meet them all."""

    met: tuple[Ticket, ...]
    sizes: tuple[int, ...]

    @property
    def first(self) -> tuple[Ticket, ...]:
        """The batch to run now; empty when there is none."""
        return self.met[: self.sizes[0]] if self.sizes else ()


def schedule(tickets: Sequence[Ticket], start: float, cost: Cost, most: int) -> Schedule:
    """Return what can be met when the engine is free from `start` on; batches have at most `most` requests.

    When not all can be met, those go that stand last in the fair order: lowest priority, then the session
    that has had most.
    """
    soonest = start + cost(1)
    left = sorted((t for t in tickets if soonest <= _deadline(t) < math.inf), key=_deadline)[:LOOKAHEAD]
    while left:
        ends, sizes = _fill([_deadline(ticket) for ticket in left], start, cost, most)
        if sizes is not None:
            return Schedule(tuple(left), sizes)
        broken = next(i for i, end in enumerate(ends) if math.isinf(end))
        left.remove(max(left[:broken], key=lambda ticket: ticket.order))
    return Schedule((), ())


def _fill(
    deadlines: Sequence[float], start: float, cost: Cost, most: int
) -> tuple[list[float], tuple[int, ...] | None]:
    """Return the earliest end of each prefix that keeps its deadlines, and the batches that keep all."""
    costs = [0.0, *(cost(size) for size in range(1, min(most, len(deadlines)) + 1))]
    ends, steps = [start], [0]
    for count in range(1, len(deadlines) + 1):
        best, step = math.inf, 0
        for size in range(1, min(count, len(costs) - 1) + 1):
            end = ends[count - size] + costs[size]
            if end <= deadlines[count - size] and end < best:
                best, step = end, size
        ends.append(best)
        steps.append(step)
    if math.isinf(ends[-1]):
        return ends, None
    sizes, count = [], len(deadlines)
    while count:
        sizes.append(steps[count])
        count -= steps[count]
    return ends, tuple(reversed(sizes))


def _deadline(ticket: Ticket) -> float:
    return math.inf if ticket.deadline is None else ticket.deadline

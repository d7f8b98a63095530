"""A request that waits for its batch, and what its caller wants of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mien.engine.engine import Tensor
from mien.engine.runtime.cost import Costs
from mien.engine.stop import Stop

Outputs = dict[str, Tensor]
Clock = Callable[[], float]
"""Seconds on a clock that never goes back."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a caller asks for.

    `session`: whose request it is; sessions get equal shares. `priority`: 0 goes before 1. `within_s`: the
    result is of use for so long. `generation`: of the session's turn; a newer one drops what still waits
    of older ones.
    """

    session: Hashable = None
    priority: int = 0
    within_s: float | None = None
    generation: int | None = None


ANYONE = Terms()


class Home(Protocol):
    """Who runs requests for one engine."""

    costs: Costs
    most: int

    def serve(self, batch: Sequence[Ticket]) -> None:
        """Run requests of one kind together; each is told its result."""


@dataclass(eq=False, slots=True)
class Ticket:
    """One request in the queue.

    `kind`: requests of one kind can share a batch and cost the same. `numbers`: elements of its inputs.
    `deadline` is on the queue's clock. `done` is called once, with the outputs or with what went wrong.
    `stop` ends its run where it runs alone. `home` is whose engine it is for, where several share a queue,
    and says what its runs cost and how many go together.
    """

    inputs: Mapping[str, Tensor]
    kind: Hashable
    numbers: int
    terms: Terms
    deadline: float | None
    done: Callable[[Outputs | None, BaseException | None], None]
    stop: Stop | None = None
    home: Home | None = None
    share: float = 0.0  # seconds of the engine, predicted: in the cheapest batch
    alone: float = 0.0  # and by itself
    turn: float = 0.0  # its place in the fair order
    number: int = 0
    cancelled: bool = False

    @property
    def order(self) -> tuple[int, float, int]:
        """What the fair order sorts by: priority, the session's share used up, arrival."""
        return self.terms.priority, self.turn, self.number

"""A budget of seconds, and what is measured within it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Clock = Callable[[], float]


@dataclass(slots=True)
class Budget:
    """`seconds` from now on; `clock` counts seconds."""

    seconds: float
    clock: Clock = time.monotonic
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.clock()

    @property
    def spent_s(self) -> float:
        """Seconds since the budget was made."""
        return self.clock() - self.began

    @property
    def left_s(self) -> float:
        """Seconds that are left, 0 at least."""
        return max(0.0, self.seconds - self.spent_s)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self.left_s <= 0.0

    def part(self, share: float) -> Budget:
        """Return a budget of a share of what is left."""
        return Budget(share * self.left_s, self.clock)


@dataclass(slots=True)
class Taken:
    """Samples in the order they were taken, and those before them, which warmed up."""

    samples: list[float] = field(default_factory=list)
    warm_up: list[float] = field(default_factory=list)


Sample = Callable[[], float]


def in_turn(
    calls: Mapping[str, Sample],
    budget: Budget,
    *,
    warm_up: int = 1,
    least: int = 3,
    most: int = 5000,
    taken: dict[str, Taken] | None = None,
) -> dict[str, Taken]:
    """Call all in turn, so that what disturbs one disturbs all, until the budget is spent.

    Each call returns its own sample. The first `warm_up` of each are kept apart; `least` rounds are made in
    any case, `most` at most. `taken` is filled and returned: who keeps it has what was there at a break.
    """
    taken = {} if taken is None else taken
    taken.update({name: Taken() for name in calls})
    for done, (name, call) in itertools.product(range(warm_up + most), calls.items()):
        if done >= warm_up + least and budget.is_over:
            break
        (taken[name].warm_up if done < warm_up else taken[name].samples).append(call())
    return taken


def timed_ms(
    call: Callable[[], object], before: Callable[[], object] | None = None, clock: Clock = time.perf_counter
) -> Sample:
    """Return a call that gives the milliseconds of `call`; `before` is called first, and not timed."""

    def sample() -> float:
        if before is not None:
            before()
        began = clock()
        call()
        return 1e3 * (clock() - began)

    return sample

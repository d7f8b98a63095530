"""Engines of one model in the order they are wanted: when one fails the next answers, at a known price."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mien.engine.engine import Engine, Tensor
from mien.engine.inputs import check_inputs
from mien.engine.runtime.breaker import Breaker, State
from mien.engine.runtime.memory import Level, fullest
from mien.engine.runtime.penalty import Penalty, Times, penalty
from mien.engine.runtime.ticket import Clock, Outputs
from mien.engine.stop import Stop
from mien.engine.wrapper import Described
from mien.errors import InputError, MienError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """When to fall back: a run longer than `launch_ms`, or more than `memory` of any bound used.

    The first run of an engine after it was loaded may take longer, and the first of each size of input, for
    which a GPU's libraries look for their algorithms. `cooldown_s`: the wait before the way back
    is tried, doubled up to `longest_s`. `look_s`: how often memory is looked at.
    """

    launch_ms: float = 500.0
    memory: float = 0.95
    cooldown_s: float = 5.0
    longest_s: float = 300.0
    look_s: float = 0.25


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Link:
    """One engine of the chain, loaded when it is first needed; `memory` is what its device has."""

    name: str
    load: Callable[[], Engine]
    memory: Callable[[], Level | None] = fullest


@dataclass(slots=True)
class _Rung:
    link: Link
    breaker: Breaker
    times: Times = field(default_factory=Times)
    engine: Engine | None = None
    looked: float = -math.inf


class Chain(Described):
    """Runs the first link that is well; the last one always runs. Safe to call from several threads."""

    def __init__(self, links: Sequence[Link], limits: Limits = LIMITS, clock: Clock = time.monotonic) -> None:
        if not links:
            raise InputError("a chain needs one engine at least")
        self._limits, self._clock = limits, clock
        self._lock = threading.RLock()
        self._rungs = [_Rung(link, Breaker(limits.cooldown_s, limits.longest_s)) for link in links]
        self._describe(self._first())

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> Outputs:
        """Compute every output on the first link that can; raises what the last link raises.

        Inputs on which every link fails are to blame themselves: then none is set aside.
        """
        check_inputs(self._rungs[0].link.name, self._inputs, inputs)
        failed: list[tuple[_Rung, MienError]] = []
        for rung in self._rungs:
            is_last = rung is self._rungs[-1]
            if not is_last and not self._may_use(rung):
                continue
            try:
                outputs = self._timed(rung, stop, inputs)
            except MienError as error:
                failed.append((rung, error))
                if not is_last:
                    continue
                self._give_back(failed)
                raise
            except BaseException:  # stopped, or broken in a way that the next link can not mend
                self._give_back([*failed, (rung, None)])
                raise
            break
        for each, why in failed:
            self._trip(each, str(why))
        return outputs

    def replaced(self, link: Link) -> Chain:
        """Return a chain with another first link; the others go with it, and what is known of them."""
        made = Chain([link], self._limits, self._clock)
        made._lock = self._lock
        made._rungs += self._rungs[1:]
        return made

    def _give_back(self, tried: Sequence[tuple[_Rung, MienError | None]]) -> None:
        with self._lock:
            for rung, _ in tried:
                rung.breaker.undecided(self._clock())

    def states(self) -> dict[str, str]:
        """Return each link's state by name, with the reason where it is not in use."""
        with self._lock:
            now = self._clock()
            return {rung.link.name: _told(rung.breaker, now) for rung in self._rungs}

    def breakers(self) -> dict[str, State]:
        """Return each link's breaker by the link's name."""
        with self._lock:
            return {rung.link.name: rung.breaker.state for rung in self._rungs}

    def penalties(self) -> list[Penalty]:
        """Return what each link costs beside the first one; those without a size in common are left out."""
        with self._lock:
            first = self._rungs[0]
            pairs = [(rung, penalty(first.times, rung.times)) for rung in self._rungs[1:]]
            return [
                Penalty(first.link.name, rung.link.name, *found) for rung, found in pairs if found is not None
            ]

    def _first(self) -> Engine:
        """Load the first link that loads; raises what the last one raises."""
        for rung in self._rungs[:-1]:
            try:
                return self._engine(rung)
            except MienError as error:
                self._trip(rung, str(error))
        return self._engine(self._rungs[-1])

    def _may_use(self, rung: _Rung) -> bool:
        with self._lock:
            if not rung.breaker.allows(self._clock()):
                return False
            if (now := self._clock()) < rung.looked + self._limits.look_s:
                return True
            rung.looked = now
        level = rung.link.memory()
        if level is None or level.share <= self._limits.memory:
            return True
        allowed = f"{self._limits.memory:.0%} is allowed"
        self._trip(rung, f"{level.name} has {level.share:.0%} of its memory used; {allowed}")
        rung.engine = None  # or nothing is gained
        return False

    def _timed(self, rung: _Rung, stop: Stop | None, inputs: dict[str, Tensor]) -> Outputs:
        engine = self._engine(rung)
        size = sum(value.size for value in inputs.values())
        began = self._clock()
        outputs = engine.run(stop, **inputs)
        took = self._clock() - began
        with self._lock:
            is_first = rung.times.add(size, took)
            if not is_first and 1e3 * took > self._limits.launch_ms and rung is not self._rungs[-1]:
                self._trip(
                    rung, f"a run took {1e3 * took:.0f} ms; {self._limits.launch_ms:.0f} ms are allowed"
                )
            else:
                rung.breaker.succeeded()
        return outputs

    def _engine(self, rung: _Rung) -> Engine:
        with self._lock:
            if rung.engine is None:
                began = self._clock()
                rung.engine = rung.link.load()
                rung.times.loaded(self._clock() - began)
            return rung.engine

    def _trip(self, rung: _Rung, reason: str) -> None:
        with self._lock:
            rung.breaker.failed(self._clock(), reason)
        _log.warning("engine %s is set aside: %s", rung.link.name, reason)


def _told(breaker: Breaker, now: float) -> str:
    if not breaker.reason:
        return str(breaker.state)
    return f"{breaker.state} ({breaker.reason}; next try in {breaker.wait_s(now):.1f} s)"

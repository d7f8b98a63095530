"""Finding a plan: which nodes must stay in fp32 so that the model keeps a budget in its own metric."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mien.engine.engine import Engine, Tensor
from mien.engine.metrics import Metric, concerned, higher_is_better, metric, within
from mien.engine.precision.plan import Plan
from mien.engine.samples import Sample, Samples
from mien.errors import InputError

Score = Callable[[Plan], float]
Tell = Callable[[str, float], None]
_MOST = 8  # samples to search on: they and the reference's outputs are kept in memory


@dataclass(frozen=True, slots=True)
class Budget:
    """A metric's worst allowed value: `rel-error=0.01`, `log-mel=1.0`, `sqnr=40`."""

    metric: str
    limit: float

    @classmethod
    def parse(cls, text: str, rate_hz: int | None) -> Budget:
        """Read `METRIC=LIMIT`; raises `InputError`."""
        match = re.fullmatch(r"([a-z-]+)=([0-9.eE+-]+)", text)
        try:
            limit = float(match[2]) if match else math.nan
        except ValueError:
            limit = math.nan
        if match is None or not math.isfinite(limit):
            raise InputError(f"{text!r} is no budget; write METRIC=LIMIT, as rel-error=0.01 or log-mel=1.0")
        metric(match[1], rate_hz)
        return cls(match[1], limit)

    def holds(self, value: float) -> bool:
        """Whether a value is inside."""
        return within(self.metric, value, self.limit)


@dataclass(frozen=True, slots=True)
class Point:
    """One plan that was tried: the nodes kept in fp32 and the metric's value."""

    kept: tuple[str, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Found:
    """The plan, every plan tried on the way, and the nodes by what each costs alone, worst first."""

    plan: Plan
    tried: tuple[Point, ...]
    ranking: tuple[tuple[str, float], ...]


class Tuning:
    """A few samples with the reference's outputs, to score many plans against."""

    def __init__(self, reference: Engine, samples: Samples, name: str, rate_hz: int | None) -> None:
        self._name, self._rate_hz = name, rate_hz
        self._pairs: list[tuple[Sample, dict[str, Tensor]]] = []
        for sample in samples:
            self._pairs.append((sample, _run(reference, sample)))
            if len(self._pairs) == _MOST:
                break

    def score(self, engine: Engine) -> float:
        """Return the metric's worst value over the outputs."""
        found = self._metrics({port.name for port in engine.outputs})
        for sample, wanted in self._pairs:
            made = _run(engine, sample)
            for name, each in found.items():
                each.add(wanted[name], made[name])
        values = [each.value for each in found.values()]
        if any(math.isnan(value) for value in values):
            return math.nan
        return min(values) if higher_is_better(self._name) else max(values)

    def _metrics(self, outputs: set[str]) -> dict[str, Metric]:
        """Return a metric for each output that it can judge; raises `InputError` when there is none."""
        wanted = self._pairs[0][1]
        made = {name: metric(self._name, self._rate_hz) for name in wanted if name in outputs}
        found = {name: each for name, each in made.items() if concerned(each, wanted[name])}
        if not found:
            raise InputError(f"no output is for {self._name} to judge: {', '.join(sorted(outputs))}")
        return found


def rank(plan: Plan, score: Score, name: str, tell: Tell) -> list[tuple[str, float]]:
    """Return each node with the metric's value when it alone leaves fp32, worst first."""
    costs = []
    for place, node in enumerate(plan.nodes):
        tell("ranking nodes", place / len(plan.nodes))
        costs.append((node, score(plan.only([node]))))
    sign = 1.0 if higher_is_better(name) else -1.0
    return sorted(costs, key=lambda cost: (not math.isnan(cost[1]), sign * cost[1], cost[0]))


def search(plan: Plan, budget: Budget, score: Score, tell: Tell = lambda _what, _share: None) -> Found:
    """Keep the costliest nodes in fp32, as few as the budget allows.

    The count is doubled until the budget holds and then halved in between: a few dozen models instead of
    one for each set. Raises `InputError` when not even the fp32 model holds the budget.
    """
    tried = [Point((), score(plan))]
    if budget.holds(tried[0].value):
        return Found(plan, tuple(tried), ())
    ranking = rank(plan, score, budget.metric, tell)
    names = [name for name, _ in ranking]

    def holds(count: int) -> bool:
        tell("searching a plan", len(tried) / 12)
        kept = tuple(names[:count])
        tried.append(Point(kept, score(plan.without(kept, "costly"))))
        return budget.holds(tried[-1].value)

    count = _least(holds, len(names))
    if count is None:
        raise InputError(
            f"the budget {budget.metric}={budget.limit:g} does not hold even with every node in fp32 "
            f"({tried[-1].value:.4g}); allow more"
        )
    reasons = {name: f"alone costs {budget.metric} {value:.4g}" for name, value in ranking[:count]}
    for name, reason in reasons.items():
        plan = plan.without([name], reason)
    return Found(plan, tuple(tried), tuple(ranking))


def _least(holds: Callable[[int], bool], most: int) -> int | None:
    """Return the least count from 1 to `most` for which `holds`, by doubling and halving."""
    low, high = 0, 1
    while not holds(min(high, most)):
        if high >= most:
            return None
        low, high = high, 2 * high
    high = min(high, most)
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def shown(ranking: Sequence[tuple[str, float]], budget: Budget, count: int = 10) -> list[str]:
    """Return the costliest nodes, a line each."""
    return [f"{name}: {budget.metric} {value:.4g} alone" for name, value in ranking[:count]]


def _run(engine: Engine, sample: Sample) -> dict[str, Tensor]:
    return engine.run(**{port.name: sample[port.name] for port in engine.inputs})

"""From the widest plan of a precision to one that holds the budget, also on samples held out."""

from __future__ import annotations

import math
from collections.abc import Callable

from onnx import ModelProto

from mien.engine import recipe
from mien.engine.job import Job
from mien.engine.metrics import higher_is_better
from mien.engine.precision import keep
from mien.engine.precision.plan import Plan
from mien.engine.recipe import Recipe
from mien.engine.search import Found, Tuning, rank, search
from mien.errors import InputError

Score = Callable[[Plan], float]


class Planner:
    """Chooses the recipe and the plan of a job; the reference's outputs are computed once."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._tuning: Tuning | None = None

    def recipe(self, model: ModelProto) -> Recipe:
        """Return how `model` gets the precision that was asked for."""
        job, precision = self._job, self._job.request.precision
        if precision == "w8":
            chosen = recipe.stored(model)
        elif precision == "fp16" and job.parts:
            chosen = recipe.half(model, job.parts[0])
        elif precision == "int8" and job.parts:
            method = job.request.calibration
            chosen = recipe.quantised(model, job.target.int8, job.parts, method, self._badness, job.tell)
        else:
            chosen = recipe.full(model)
        if not job.request.keep:
            return chosen
        return recipe.without(chosen, keep(job.request.keep, [node.name for node in model.graph.node]))

    def plan(self, chosen: Recipe) -> Found:
        """Search a plan that holds the budget on the calibration samples, then on those held out.

        Raises `InputError` when none does.
        """
        budget = self._job.budget
        if budget is None or not chosen.plan.nodes:
            return Found(chosen.plan, (), ())

        def score(plan: Plan) -> float:
            return self._tuned().score(self._job.engine(chosen.build(plan)))

        found = search(chosen.plan, budget, score, self._job.tell)
        return self._tightened(found, chosen, score)

    def held_out(self) -> Tuning:
        """Return what scores engines on the samples that nothing was tuned on."""
        assert self._job.parts is not None
        return Tuning(self._job.reference, self._job.parts[1], self._job.metric, self._job.request.rate_hz)

    def _tightened(self, found: Found, chosen: Recipe, score: Score) -> Found:
        """Keep more nodes, the costliest first, until the budget also holds on held-out samples."""
        budget, metric, tuning = self._job.budget, self._job.metric, self.held_out()
        assert budget is not None
        plan, ranking = found.plan, found.ranking
        value = tuning.score(self._job.engine(chosen.build(plan)))
        if not budget.holds(value) and not ranking:
            ranking = tuple(rank(plan, score, metric, self._job.tell))
        for name, cost in ranking:
            if budget.holds(value):
                break
            if name in plan.nodes:
                plan = plan.without([name], f"alone costs {metric} {cost:.4g}")
                value = tuning.score(self._job.engine(chosen.build(plan)))
        if not budget.holds(value):
            asked = self._job.request.budget
            raise InputError(f"the budget {asked} does not hold on held-out data: {value:.4g}")
        return Found(plan, found.tried, ranking)

    def _badness(self, model: ModelProto) -> tuple[float, float]:
        """Return a number that is less for a better model, and the metric's value."""
        value = self._tuned().score(self._job.engine(model))
        if math.isnan(value):
            return math.inf, value
        return -value if higher_is_better(self._job.metric) else value, value

    def _tuned(self) -> Tuning:
        if self._tuning is None:
            job = self._job
            assert job.parts is not None
            self._tuning = Tuning(job.reference, job.parts[0], job.metric, job.request.rate_hz)
        return self._tuning

"""An engine and the plans tried on the way to it, timed beside the model that they come from."""

from __future__ import annotations

from collections.abc import Callable

from mien.engine.engine import Engine
from mien.engine.pareto import Trial
from mien.engine.precision.plan import Plan
from mien.engine.recipe import Recipe
from mien.engine.samples import Sample
from mien.engine.search import Found, Tuning
from mien.engine.timing import side_by_side

_MOST = 6  # plans beside the chosen one
_SECONDS = 1.5  # for each engine


def measured(
    chosen: Recipe,
    found: Found,
    source: tuple[Engine, int],
    sample: Sample,
    tuning: Tuning,
    parse: Callable[[bytes], Engine],
) -> list[Trial]:
    """Return the source (an engine and its file's size), the chosen plan and some others, in this order.

    All take turns on `sample`; the metric's value is that of `tuning`.
    """
    plans = {_label(chosen.plan, found.plan): found.plan}
    for point in found.tried[:_MOST]:
        plan = chosen.plan.without(point.kept, "")
        plans.setdefault(_label(chosen.plan, plan), plan)
    files = {name: chosen.build(plan).SerializeToString() for name, plan in plans.items()}
    engines: dict[str, Engine] = {"source": source[0]}
    engines |= {name: parse(data) for name, data in files.items()}
    times = side_by_side(engines, sample, seconds=_SECONDS * len(engines))
    trials = [Trial("source", 0, tuning.score(source[0]), times["source"].best_ms, source[1])]
    for name, plan in plans.items():
        kept = len(chosen.plan.nodes) - len(plan.nodes)
        value, ms = tuning.score(engines[name]), times[name].best_ms
        trials.append(Trial(name, kept, value, ms, len(files[name]), chosen=plan is found.plan))
    return trials


def _label(widest: Plan, plan: Plan) -> str:
    kept = len(widest.nodes) - len(plan.nodes)
    return f"{plan.precision}, {kept} kept" if kept else plan.precision

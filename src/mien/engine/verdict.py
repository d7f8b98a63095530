"""Is what was built good enough to be written, and what is to be said of it?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from mien.engine.compare import Comparison
from mien.engine.job import Job
from mien.engine.pareto import Trial
from mien.engine.precision.plan import Plan
from mien.errors import InputError

_WIN: Final = 0.95  # of the source's time: what differs less is noise


def judge(job: Job, trials: list[Trial], check: Comparison | None) -> list[str]:
    """Return remarks on speed.

    Raises `InputError` for NaN, a budget that does not hold, and fp16 that wins nothing but must.
    """
    if not trials or check is None:
        return ["no samples: neither checked nor timed; give --data"]
    if any(math.isnan(value) for row in check.outputs.values() for value in row.values()):
        raise InputError("the engine's outputs hold NaN where the model's do not; keep more nodes in fp32")
    if job.budget and not job.budget.holds(value := check.worst(job.metric)):
        raise InputError(f"the budget {job.request.budget} does not hold on held-out data: {value:.4g}")
    source, engine = trials[0], next(trial for trial in trials if trial.chosen)
    speed = f"{engine.ms:.1f} ms a run, the source {source.ms:.1f} ms"
    must_win = job.request.precision == "fp16" and job.target.fp16_needs_win
    if must_win and not job.request.allow_slower and engine.ms > _WIN * source.ms:
        raise InputError(f"fp16 wins nothing on {job.target.name} ({speed}); use fp32, or add --allow-slower")
    where = "" if job.target.device == "cpu" else "on this machine's CPU: "
    return [f"{where}{speed}: {source.ms / engine.ms:.2f}x as fast"]


def left_in_float(plan: Plan, executed: Mapping[str, int], backend: str) -> list[str]:
    """Say when the backend runs fewer nodes in int8 than the file has."""
    planned = sum(precision == "int8" for precision in plan.nodes.values())
    ran = sum(count for name, count in executed.items() if name.startswith("int8 "))
    if ran >= planned:
        return []
    return [f"of {planned} nodes in int8 {backend} shows {planned - ran} that run in float"]

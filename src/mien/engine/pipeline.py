"""The stations of a model: passes, precision, read back, compare, time, judge."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Final

from onnx import ModelProto

from mien.engine import ahead, package, pareto, passes
from mien.engine.compare import Comparison, compare, default_metrics
from mien.engine.dequantise import is_dynamic
from mien.engine.describe import Made, manifest
from mien.engine.engine import Engine
from mien.engine.job import Job
from mien.engine.manifest import Manifest
from mien.engine.pareto import Trial
from mien.engine.planning import Planner
from mien.engine.precision import named, readback
from mien.engine.recipe import Recipe
from mien.engine.search import Found
from mien.engine.trials import measured
from mien.engine.verdict import judge, left_in_float

_VERIFIED_ON: Final = 2  # samples a pass is checked with


def run(job: Job, model: ModelProto, out: Path, key: str) -> tuple[Manifest, list[str]]:
    """Take a model through all stations and write its engine; return the manifest and remarks.

    Raises `InputError` and `CorruptError` of any station; then nothing is written.
    """
    ahead.check(job, model)
    planner = Planner(job)
    model, records = _passed(job, model)
    model = named(model)
    chosen = planner.recipe(model)
    found = planner.plan(chosen)
    built = chosen.build(found.plan)
    contained = readback.check(built, found.plan)
    plan = ahead.build(job, built)
    data = built.SerializeToString()
    executed = plan.executed if plan else readback.executed(data, job.options)
    check = _compared(job, ahead.engine(job, data, plan, str(out)))
    trials = _trials(job, planner, chosen, found)
    told = [*chosen.notes, *left_in_float(found.plan, executed, job.target.backend)]
    told += [*(plan.notes if plan else ()), *judge(job, trials, check)]
    made = Made(data, found.plan, contained, executed, tuple(records), chosen.facts, check, trials, plan)
    whole = manifest(job, key, made)
    package.write(out, data, whole, lambda folder: _beside(job, made, folder))
    return whole, told


def _passed(job: Job, model: ModelProto) -> tuple[ModelProto, list[dict[str, Any]]]:
    """Run the passes, each checked on real samples; without samples there is nothing to check on."""
    if job.samples is None:
        return model, []
    job.tell("passes", 0.0)
    checked = list(itertools.islice(iter(job.samples), _VERIFIED_ON))
    records = []
    if is_dynamic(model):
        tolerance = passes.DEQUANTISE_TOLERANCE
        model, done = passes.run(model, [passes.DEQUANTISE], checked, tolerance=tolerance)
        records += done
    wanted = [*passes.STANDARD, *([passes.WIDEN] if job.target.backend == "onnxruntime" else [])]
    model, done = passes.run(model, wanted, checked)
    return model, [record.to_dict() for record in [*records, *done]]


def _compared(job: Job, engine: Engine) -> Comparison | None:
    if job.parts is None:
        return None
    rate = job.request.rate_hz
    metrics = default_metrics(rate, job.metric)
    return compare(job.reference, engine, job.parts[1], metrics, rate_hz=rate, tell=job.tell)


def _trials(job: Job, planner: Planner, chosen: Recipe, found: Found) -> list[Trial]:
    if job.parts is None:
        return []
    job.tell("timing", 0.0)
    source = (job.reference, job.source.stat().st_size)
    sample = next(iter(job.parts[1]))
    return measured(chosen, found, source, sample, planner.held_out(), job.parse)


def _beside(job: Job, made: Made, folder: Path) -> None:
    """Write what lies beside the model: what was built ahead, the picture of the plans tried."""
    if made.ahead is not None:
        (folder / made.ahead.file).write_bytes(made.ahead.data)
    if len(made.trials) > 2:
        limit = job.budget.limit if job.budget else None
        pareto.draw(made.trials, job.metric, limit, folder / "pareto.png")

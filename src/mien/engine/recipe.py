"""How a model gets a precision: the widest plan, and what builds the model of any plan within it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from onnx import ModelProto

from mien.engine.calibrate import METHODS, Range, activations, calibrate, escapes, extremes, report
from mien.engine.precision import fp16, int8, weights
from mien.engine.precision.plan import Plan
from mien.engine.samples import Samples
from mien.engine.targets import Int8
from mien.errors import InputError, nearest

AUTO = "auto"
Tell = Callable[[str, float], None]
Build = Callable[[Plan], ModelProto]


@dataclass(frozen=True, slots=True)
class Recipe:
    """`plan` puts into the precision all that can be; `facts` go into the manifest."""

    plan: Plan
    build: Build
    facts: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()


def full(model: ModelProto) -> Recipe:
    """Everything in fp32, as it is."""
    return Recipe(Plan("fp32"), lambda _plan: model)


def stored(model: ModelProto) -> Recipe:
    """Weights stored in int8, computed in fp32."""
    return Recipe(weights.candidates(model), lambda plan: weights.store(model, plan))


def half(model: ModelProto, samples: Samples) -> Recipe:
    """fp16, without the nodes whose constants or values on the samples do not fit."""
    seen = extremes(model, samples, activations(model))
    ranges = {name: Range(peaks.lowest[0], peaks.highest[0]) for name, peaks in seen.items()}
    plan = fp16.fitting(model, fp16.candidates(model), ranges)
    notes = tuple(f"{name} stays fp32: {reason}" for name, reason in plan.kept.items())
    facts = {"method": "minmax", "samples": len(samples), "origin": samples.origin}
    return Recipe(plan, lambda wanted: fp16.convert(model, wanted), facts, notes)


def quantised(
    model: ModelProto,
    target: Int8,
    samples: tuple[Samples, Samples],
    method: str,
    score: Callable[[ModelProto], tuple[float, float]],
    tell: Tell,
) -> Recipe:
    """int8 with ranges from the first of `samples`; the second is held out and only looked at for coverage.

    `method` `auto` tries all and takes the one with the least `score(model)[0]`; `score(model)[1]` is the
    metric's value.
    """
    if method not in (AUTO, *METHODS):
        raise InputError(f"no calibration method {method!r}{nearest(method, [AUTO, *METHODS])}")
    used, held_out = samples
    plan = int8.candidates(model, target)
    names = int8.tensors(model, plan)
    calibration = calibrate(model, used, names, tell=tell)
    tried: dict[str, float] = {}
    order: list[tuple[float, str]] = []
    for name in METHODS if method == AUTO else [method]:
        badness, tried[name] = score(int8.quantise(model, plan, calibration.ranges(name), target))
        order.append((badness, name))
    best = min(order)[1]
    ranges = calibration.ranges(best)
    # A range is left when values go beyond all that calibration saw, not when clipping was chosen.
    widest = calibration.ranges("minmax")
    left = escapes(widest, extremes(model, held_out, [n for n in names if n in widest]))
    facts = {"method": best, "tried": tried, "samples": calibration.samples, "origin": calibration.origin}
    return Recipe(
        plan,
        lambda wanted: int8.quantise(model, wanted, ranges, target),
        facts,
        tuple(report(calibration.peaks, calibration.samples, left)),
    )


def without(recipe: Recipe, names: Sequence[str]) -> Recipe:
    """Return the recipe with nodes kept in fp32 because they were named."""
    return Recipe(recipe.plan.without(names, "kept by name"), recipe.build, recipe.facts, recipe.notes)

"""Two models side by side on the same samples: how far their outputs are apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mien.engine.engine import Engine, Tensor
from mien.engine.metrics import LOG_MEL, METRICS, Metric, concerned, higher_is_better, metric
from mien.engine.samples import Samples
from mien.errors import InputError


@dataclass(frozen=True, slots=True)
class Comparison:
    """Output → metric → value over all samples, and the size of the reference's numbers."""

    outputs: Mapping[str, Mapping[str, float]]
    largest: Mapping[str, float]
    samples: int

    def worst(self, name: str) -> float:
        """Return a metric's worst value over the outputs."""
        values = [found[name] for found in self.outputs.values() if name in found]
        if not values:
            raise InputError(f"no output is for {name} to judge: {', '.join(self.outputs)}")
        if any(math.isnan(value) for value in values):
            return math.nan
        return min(values) if higher_is_better(name) else max(values)

    def to_json(self) -> dict[str, dict[str, float | str]]:
        """Return plain data for JSON, which has no infinity: `"inf"`."""
        return {
            output: {name: value if math.isfinite(value) else str(value) for name, value in found.items()}
            for output, found in self.outputs.items()
        }


def compare(
    reference: Engine,
    other: Engine,
    samples: Samples,
    metrics: Sequence[str] = tuple(METRICS),
    *,
    rate_hz: int | None = None,
    tell: Callable[[str, float], None] = lambda _what, _share: None,
) -> Comparison:
    """Run both on all samples; only the outputs that both have are compared, by metrics that can.

    Whole numbers are compared like any others. Raises `InputError` when the models have no output in
    common, when their shapes differ, or when `log-mel` is asked for without `rate_hz`.
    """
    names = _shared(reference, other)
    table: dict[str, dict[str, Metric]] = {name: {m: metric(m, rate_hz) for m in metrics} for name in names}
    largest = dict.fromkeys(names, 0.0)
    for place, sample in enumerate(samples):
        tell("comparing", place / len(samples))
        wanted = reference.run(**{port.name: sample[port.name] for port in reference.inputs})
        found = other.run(**{port.name: sample[port.name] for port in other.inputs})
        for name in names:
            _check_shape(name, place, wanted[name], found[name])
            largest[name] = max(largest[name], float(np.abs(wanted[name]).max(initial=0)))
            if place == 0:
                table[name] = {m: each for m, each in table[name].items() if concerned(each, wanted[name])}
            for each in table[name].values():
                each.add(wanted[name], found[name])
    values = {name: {m: each.value for m, each in row.items()} for name, row in table.items()}
    return Comparison(values, largest, len(samples))


def default_metrics(rate_hz: int | None, more: str = "") -> tuple[str, ...]:
    """Return what is always computed, `log-mel` where there is a sound, and the metric `more`."""
    names = (*METRICS, LOG_MEL) if rate_hz else tuple(METRICS)
    return names if not more or more in names else (*names, more)


def _shared(reference: Engine, other: Engine) -> list[str]:
    theirs = {port.name for port in other.outputs}
    names = [port.name for port in reference.outputs if port.name in theirs and port.dtype != np.object_]
    if not names:
        raise InputError(
            f"the models have no output in common: {', '.join(port.name for port in reference.outputs)} "
            f"and {', '.join(theirs)}"
        )
    needed = {port.name for port in reference.inputs} ^ {port.name for port in other.inputs}
    if needed:
        raise InputError(f"only one of the models takes the input {', '.join(sorted(needed))}")
    return names


def _check_shape(name: str, place: int, wanted: Tensor, found: Tensor) -> None:
    if wanted.shape != found.shape:
        raise InputError(
            f"output {name!r} of sample {place} is {found.shape}, the reference's {wanted.shape}; "
            "these are not the same model"
        )

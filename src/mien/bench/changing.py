"""How engines bear inputs that change their sizes: what the first run of a new size costs, and what fails."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mien.engine.engine import Engine, Port, Tensor
from mien.errors import MienError

FACTORS: Final = (1.0, 1.25, 1.5, 2.0, 0.75, 1.1)
_STEADY: Final = 3
Sample = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class Stability:
    """`worst_stall_ms`: what the first run of a size took beyond its later ones, at worst.

    `steady_ms`: the mean of the sizes' best times. `failures`: sizes that could not be run. `recompiles`
    and `breaks`: of graphs, where the runtime counts them.
    """

    name: str
    sizes: int
    worst_stall_ms: float
    steady_ms: float
    failures: int
    recompiles: int | None = None
    breaks: int | None = None


def sizes_of(sample: Sample, ports: Sequence[Port], factors: Sequence[float] = FACTORS) -> list[Sample]:
    """Return the sample in other sizes: each free axis but the first is cut or repeated."""
    made = [{port.name: _resized(sample[port.name], port, factor) for port in ports} for factor in factors]
    distinct = {str([value.shape for value in each.values()]): each for each in made}
    return list(distinct.values())


def bear(name: str, engine: Engine, samples: Sequence[Sample]) -> Stability:
    """Run an engine on each size, once for the first time and then steadily."""
    stalls, steady, failures = [], [], 0
    for sample in samples:
        try:
            first = _once(engine, sample)
            later = min(_once(engine, sample) for _ in range(_STEADY))
        except MienError:
            failures += 1
            continue
        stalls.append(first - later)
        steady.append(later)
    mean = float(np.mean(steady)) if steady else float("nan")
    return Stability(name, len(samples), max(stalls, default=float("nan")), mean, failures)


def _resized(value: Tensor, port: Port, factor: float) -> Tensor:
    for axis in range(1, value.ndim):
        if axis < len(port.shape) and not isinstance(port.shape[axis], int):
            count = max(1, round(factor * value.shape[axis]))
            value = value.take(np.arange(count) % value.shape[axis], axis)
    return value


def _once(engine: Engine, sample: Sample) -> float:
    began = time.perf_counter()
    engine.run(**sample)
    return 1e3 * (time.perf_counter() - began)

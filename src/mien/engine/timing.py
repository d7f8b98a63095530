"""How fast engines are beside each other: they take turns, so that a busy machine slows them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass

from mien.engine.engine import Engine
from mien.engine.samples import Sample

_LEAST_RUNS, _MOST_RUNS = 3, 200


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one run: the best, the median, and how many runs there were."""

    best_ms: float
    median_ms: float
    runs: int


def side_by_side(engines: Mapping[str, Engine], sample: Sample, *, seconds: float = 4.0) -> dict[str, Times]:
    """Run all engines in turn on one sample for about `seconds` (200 times at most), after warming up."""
    for engine in engines.values():
        _once(engine, sample)
    taken: dict[str, list[float]] = {name: [] for name in engines}
    end = time.perf_counter() + seconds
    for done in range(_MOST_RUNS):
        if done >= _LEAST_RUNS and time.perf_counter() > end:
            break
        for name, engine in engines.items():
            taken[name].append(_once(engine, sample))
    return {name: Times(min(ms), statistics.median(ms), len(ms)) for name, ms in taken.items()}


def _once(engine: Engine, sample: Sample) -> float:
    began = time.perf_counter()
    engine.run(**{port.name: sample[port.name] for port in engine.inputs})
    return 1e3 * (time.perf_counter() - began)

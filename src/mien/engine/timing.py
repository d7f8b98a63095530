"""How fast engines are beside each other: they take turns, so that a busy machine slows them alike.

Between two engines the process comes to rest: by ONNX Runtime's defaults its threads go on spinning for 50 ms
after a run, and on two cores the next engine then seems half as fast as it is.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mien.engine.engine import Engine
from mien.engine.samples import Sample

_LEAST_RUNS, _MOST_RUNS = 3, 200
_LOOK_S, _QUIET, _LONGEST_S = 0.004, 0.25, 0.2


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
            come_to_rest()
            taken[name].append(_once(engine, sample))
    return {name: Times(min(ms), statistics.median(ms), len(ms)) for name, ms in taken.items()}


def come_to_rest(
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.perf_counter,
    used: Callable[[], float] = time.process_time,
) -> None:
    """Wait until this process takes less than a quarter of a core, a fifth of a second at most.

    `used` is the processor time it has taken, seconds.
    """
    end = clock() + _LONGEST_S
    while (began := clock()) < end:
        before = used()
        sleep(_LOOK_S)
        if used() - before < _QUIET * (clock() - began):
            return


def _once(engine: Engine, sample: Sample) -> float:
    began = time.perf_counter()
    engine.run(**{port.name: sample[port.name] for port in engine.inputs})
    return 1e3 * (time.perf_counter() - began)

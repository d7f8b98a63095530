"""How an engine gains from batches: throughput, the slowest requests, use of the cores, and the knee."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np

import mien.engine
from mien.bench.batches import KNEE
from mien.bench.timed.budget import Budget, Sample, Taken, in_turn, timed_ms
from mien.bench.timed.material import VOCODER, latent
from mien.bench.timed.plots import Curves, Panel
from mien.bench.timed.result import Result
from mien.engine.backends.onnxruntime import usable_cores
from mien.progress import Progress

SIZES: Final = (1, 2, 4, 8, 16, 32)
ROUNDS: Final = 5
RULE: Final = f"the knee is the smallest batch that has {KNEE:.0%} of the best throughput (medians)"


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Run batches of each size in turn, so that what disturbs one size disturbs all."""
    engine, one = mien.engine.load(VOCODER), latent()
    engine.run(latent=one)
    sizes = fitting(timed_ms(lambda: engine.run(latent=one))() / 1e3, budget.left_s)
    if sizes != SIZES:
        result.notes.append(
            f"batches of more than {sizes[-1]} are left out: they need more time than there is"
        )
    busy: dict[str, list[float]] = {str(size): [] for size in sizes}
    calls = {str(n): _observed(engine.run, np.repeat(one, n, axis=0), busy[str(n)]) for n in sizes}
    tell("batches", 0.0)
    taken = in_turn(calls, budget)
    for size in sizes:
        result.add(f"a batch of {size}", "ms", taken[str(size)], group="A batch, by its size")
    show(result, taken, busy)
    result.notes.append(f"{RULE}; requests are windows of 0.6 s of speech for the vocoder of the voice joe")


def fitting(one_s: float, left_s: float) -> tuple[int, ...]:
    """Return the sizes of which `ROUNDS` rounds fit into the time, were no batch faster than its requests."""
    fit = tuple(size for size in SIZES if ROUNDS * 2 * size * one_s <= left_s)
    return fit if len(fit) > 1 else SIZES[:2]


def show(result: Result, taken: dict[str, Taken], busy: dict[str, list[float]]) -> None:
    """Add throughput, slowest requests, use of the cores and the knee."""
    sizes = [int(name) for name in taken]
    p50, p99 = ({n: float(np.percentile(taken[str(n)].samples, p)) for n in sizes} for p in (50, 99))
    per_s = {n: 1e3 * n / p50[n] for n in sizes}
    used = {n: 100 * float(np.median(busy[str(n)][len(taken[str(n)].warm_up) :])) for n in sizes}
    found = knee(per_s)
    result.fact("knee", found, "requests a batch")
    result.fact("throughput at the knee", per_s[found], "requests/s")
    result.fact("throughput of single requests", per_s[1], "requests/s")
    result.fact("cores in use at the knee", used[found], "%")
    result.plots.append(
        Curves(
            "Requests in a batch",
            "requests in a batch",
            (
                Panel("Throughput", "requests/s", {"mien": tuple(per_s.items())}),
                Panel("A batch takes", "ms", {"median": tuple(p50.items()), "p99": tuple(p99.items())}),
                Panel("Cores in use", "%", {"of all cores": tuple(used.items())}, limit=100.0),
            ),
            (found, "knee"),
            doubles=True,
        )
    )


def knee(per_s: dict[int, float]) -> int:
    """Return the smallest size with nine tenths of the best throughput."""
    best = max(per_s.values())
    return next(size for size, value in sorted(per_s.items()) if value >= KNEE * best)


def _observed(run: Callable[..., object], batch: np.ndarray, busy: list[float]) -> Sample:
    """Return a call that gives milliseconds, and notes the share of all cores that were used."""
    cores = usable_cores()

    def sample() -> float:
        began, used = time.perf_counter(), time.process_time()
        run(latent=batch)
        took = time.perf_counter() - began
        busy.append((time.process_time() - used) / took / cores)
        return 1e3 * took

    return sample

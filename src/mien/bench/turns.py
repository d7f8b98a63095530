"""Engines beside each other on the same inputs: blocks of runs in turn, the first run of each left out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from mien.engine.engine import Engine, Tensor
from mien.engine.timing import come_to_rest

_BLOCK: Final = 5  # runs in a row; the first one finds the caches and threads of another engine
_LEAST, _MOST = 2, 40  # blocks


@dataclass(frozen=True, slots=True)
class Spread:
    """Milliseconds of one run: median, 95th percentile, best, and the number of runs."""

    p50_ms: float
    p95_ms: float
    best_ms: float
    runs: int


def take_turns(
    engines: Mapping[str, Engine], inputs: Mapping[str, Tensor], *, seconds: float
) -> dict[str, Spread]:
    """Run all engines for about `seconds` in all, each at least `_LEAST` blocks."""
    taken: dict[str, list[float]] = {name: [] for name in engines}
    end = time.perf_counter() + seconds
    for done in range(_MOST):
        if done >= _LEAST and time.perf_counter() > end:
            break
        for name, engine in engines.items():
            come_to_rest()
            taken[name] += [_once(engine, inputs) for _ in range(_BLOCK)][1:]
    return {name: _spread(ms) for name, ms in taken.items()}


def _once(engine: Engine, inputs: Mapping[str, Tensor]) -> float:
    began = time.perf_counter()
    engine.run(**inputs)
    return 1e3 * (time.perf_counter() - began)


def _spread(ms: list[float]) -> Spread:
    p50, p95 = np.percentile(ms, (50, 95))
    return Spread(float(p50), float(p95), min(ms), len(ms))

"""What falling back costs: how many times as long a run takes, and what comes once on top."""

from __future__ import annotations

import statistics
from collections import deque
from dataclasses import dataclass
from typing import Final

_KEPT: Final = 32  # times of a size
_MOST_SIZES: Final = 64


class Times:
    """An engine's times: its loading, its first run, and the latest runs of each size of input."""

    def __init__(self) -> None:
        self.load_s = 0.0
        self.first_s: float | None = None
        self.by_size: dict[int, deque[float]] = {}

    def loaded(self, seconds: float) -> None:
        """Take in the time of loading; the next run of each size is a first one."""
        self.load_s, self.first_s = seconds, None
        self.by_size.clear()

    def add(self, size: int, seconds: float) -> bool:
        """Take in a run; return whether it was the first of its size since the engine was loaded."""
        is_first = size not in self.by_size
        times = self.by_size.setdefault(size, deque(maxlen=_KEPT))
        if self.first_s is None:
            self.first_s = seconds
        else:
            times.append(seconds)
        if len(self.by_size) > _MOST_SIZES:
            del self.by_size[next(iter(self.by_size))]
        return is_first


@dataclass(frozen=True, slots=True)
class Penalty:
    """`ratio`: a run's median time on `to` against `wanted`, over the sizes that both ran.

    Its parts, ms: `wanted_ms` and `steady_ms` of a run, and once: `load_ms`, and `first_ms`, what the first
    run took beyond a later one.
    """

    wanted: str
    to: str
    ratio: float
    wanted_ms: float
    steady_ms: float
    load_ms: float
    first_ms: float


def penalty(wanted: Times, used: Times) -> tuple[float, float, float, float, float] | None:
    """Return ratio, the two median times, loading and the first run's excess; None without a common size."""
    sizes = [size for size, times in wanted.by_size.items() if times and used.by_size.get(size)]
    if not sizes:
        return None
    before, after = (
        statistics.fmean(statistics.median(times.by_size[size]) for size in sizes) for times in (wanted, used)
    )
    first = max(0.0, (used.first_s or after) - after)
    return (
        after / before if before else float("inf"),
        1e3 * before,
        1e3 * after,
        1e3 * used.load_s,
        1e3 * first,
    )

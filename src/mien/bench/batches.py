"""How an engine gains from batches: times for each size beside its yardsticks, and where the gain ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from mien.bench.turns import Spread, take_turns
from mien.engine.engine import Engine, Tensor
from mien.engine.runtime.layout import Layout
from mien.errors import MienError
from mien.progress import Progress, silent

ENGINE: Final = "mien"
KNEE: Final = 0.9  # of the best throughput


@dataclass(frozen=True, slots=True)
class Row:
    """One batch size: the engine's times and those of each yardstick that could run it."""

    batch: int
    times: Mapping[str, Spread]

    def per_s(self, name: str = ENGINE) -> float:
        """Return requests a second, by the median time."""
        return 1e3 * self.batch / self.times[name].p50_ms

    def speed_up(self, name: str) -> float:
        """Return how many times as fast the engine is as a yardstick, by the best times."""
        return self.times[name].best_ms / self.times[ENGINE].best_ms


@dataclass(frozen=True, slots=True)
class Batches:
    """The rows of one run. `failed`: yardsticks that could not run, and why."""

    threads: int
    rows: tuple[Row, ...]
    failed: Mapping[str, str] = field(default_factory=dict)

    @property
    def knee(self) -> int:
        """The smallest batch that has at least nine tenths of the best throughput."""
        best = max(row.per_s() for row in self.rows)
        return next(row.batch for row in self.rows if row.per_s() >= KNEE * best)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**asdict(self), "knee": self.knee}


def measure(
    engine: Engine,
    yardsticks: Mapping[str, Engine],
    sample: Mapping[str, Tensor],
    sizes: Sequence[int],
    *,
    threads: int = 0,
    seconds: float = 2.0,
    tell: Progress = silent,
) -> Batches:
    """Run batches of one sample of each size, all engines in turn, about `seconds` for each engine and size.

    A yardstick that fails is left out from there on. Raises what the engine itself raises.
    """
    layout, left, failed = Layout(engine), dict(yardsticks), {}
    rows = []
    for done, size in enumerate(sizes):
        tell(f"batches of {size}", done / len(sizes))
        inputs = layout.join([sample] * size)
        engine.run(**inputs)
        for name, other in list(left.items()):
            try:
                other.run(**inputs)
            except MienError as error:
                failed[name] = str(error)
                del left[name]
        engines = {ENGINE: engine, **left}
        rows.append(Row(size, take_turns(engines, inputs, seconds=seconds * len(engines))))
    return Batches(threads, tuple(rows), failed)

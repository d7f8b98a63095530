"""What every bench gives: series of samples, facts, plots, notes, and the noise around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mien.bench.timed import plots
from mien.bench.timed.budget import Taken
from mien.bench.timed.noise import Noise
from mien.bench.timed.plots import Plot
from mien.bench.timed.statistics import Interval, percentiles
from mien.errors import CorruptError

LOWER, HIGHER = "lower", "higher"
_KEPT: Final = 2000  # samples of a series in a file; more are thinned evenly


@dataclass(frozen=True, slots=True)
class Series:
    """Samples of one figure in the order they were taken, in `unit`; `better`: `lower` or `higher`.

    `warm_up` are those before them, which no figure counts. `group`: what is drawn in one picture.
    """

    name: str
    unit: str
    samples: tuple[float, ...]
    warm_up: tuple[float, ...] = ()
    better: str = LOWER
    group: str = ""

    def percentiles(self) -> dict[int, Interval]:
        """Return median, 95th and 99th percentile with their intervals, where there are samples enough."""
        return percentiles(self.samples)

    def to_json(self) -> dict[str, Any]:
        """Return plain data, the figures among them for whoever does not compute."""
        found = {f"p{p}": _rounded([x.value, x.low, x.high]) for p, x in self.percentiles().items()}
        step = len(self.samples) // _KEPT + 1
        return {
            "name": self.name,
            "unit": self.unit,
            "better": self.better,
            "group": self.group,
            "count": len(self.samples),
            **found,
            "samples": _rounded(self.samples[::step]),
            "warm_up": _rounded(self.warm_up),
        }

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> Series:
        """Read what `to_json` wrote."""
        return cls(
            str(table["name"]),
            str(table["unit"]),
            tuple(float(x) for x in table["samples"]),
            tuple(float(x) for x in table["warm_up"]),
            str(table["better"]),
            str(table["group"]),
        )


@dataclass(slots=True)
class Result:
    """One bench's run. `command` repeats it; `asked_s` was its budget; `complete`: nothing broke it off.

    `facts`: (name, value, unit) of what is known and not sampled.
    """

    bench: str
    title: str = ""
    command: str = ""
    asked_s: float = 0.0
    took_s: float = 0.0
    complete: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    series: list[Series] = field(default_factory=list)
    facts: list[tuple[str, float | str, str]] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    noise: Noise = field(default_factory=Noise)

    def add(
        self, name: str, unit: str, taken: Taken | Sequence[float], *, better: str = LOWER, group: str = ""
    ) -> None:
        """Add a series; one without a sample is a note."""
        taken = taken if isinstance(taken, Taken) else Taken(list(taken))
        if taken.samples:
            made = Series(name, unit, tuple(taken.samples), tuple(taken.warm_up), better, group)
            self.series.append(made)
        else:
            self.notes.append(f"{name}: no sample within the time")

    def fact(self, name: str, value: float | str, unit: str = "") -> None:
        """Add a fact."""
        self.facts.append((name, value, unit))

    def to_json(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "bench": self.bench,
            "title": self.title,
            "command": self.command,
            "asked_s": round(self.asked_s, 1),
            "took_s": round(self.took_s, 1),
            "complete": self.complete,
            "environment": self.environment,
            "series": [each.to_json() for each in self.series],
            "facts": [[name, _digits(value), unit] for name, value, unit in self.facts],
            "plots": [plots.to_json(each) for each in self.plots],
            "notes": self.notes,
            "noise": self.noise.to_json(),
        }

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> Result:
        """Read what `to_json` wrote; raises `CorruptError`."""
        try:
            return cls(
                str(table["bench"]), str(table["title"]), str(table["command"]), float(table["asked_s"]),
                float(table["took_s"]), bool(table["complete"]), dict(table["environment"]),
                [Series.from_json(each) for each in table["series"]],
                [(str(name), value, str(unit)) for name, value, unit in table["facts"]],
                [plots.from_json(each) for each in table["plots"]],
                [str(note) for note in table["notes"]], Noise.from_json(table["noise"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            told = f"{type(error).__name__} {error}"
            raise CorruptError(f"this is no result of a bench ({told}); make one: mien bench all") from None


def _rounded(values: Sequence[float]) -> list[float]:
    return [float(f"{value:.5g}") for value in values]


def _digits(value: float | str) -> float | str:
    return value if isinstance(value, str) else float(f"{value:.5g}")

"""Two runs beside each other: what changed beyond the noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from mien.bench.timed.files import Report
from mien.bench.timed.noise import Noise
from mien.bench.timed.result import HIGHER, Result, Series
from mien.bench.timed.statistics import Interval, ratio_of_medians

LEAST: Final = 5  # samples on each side


class Verdict(StrEnum):
    """What became of a figure; `UNSURE`: it may have changed, and the samples do not tell."""

    WORSE = "worse"
    BETTER = "better"
    SAME = "same"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Change:
    """One figure: its median in `old` and `new`, their ratio; `loss` is that ratio with more being worse.

    `allowed`: the share that may be lost, the threshold and the noise of both runs.
    """

    bench: str
    name: str
    unit: str
    old: float
    new: float
    ratio: Interval
    loss: Interval
    allowed: float
    counts: tuple[int, int]

    @property
    def verdict(self) -> Verdict:
        """Worse or better is what lies with its whole interval beyond what is allowed."""
        if min(self.counts) < LEAST:
            return Verdict.UNSURE
        if self.loss.low > 1 + self.allowed:
            return Verdict.WORSE
        if self.loss.high < 1 / (1 + self.allowed):
            return Verdict.BETTER
        inside = self.loss.low >= 1 / (1 + self.allowed) and self.loss.high <= 1 + self.allowed
        return Verdict.SAME if inside else Verdict.UNSURE


@dataclass(slots=True)
class Comparison:
    """All figures that both runs have; `remarks`: what keeps them from being compared as they are."""

    changes: list[Change] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def worse(self) -> list[Change]:
        """What became worse."""
        return [change for change in self.changes if change.verdict is Verdict.WORSE]


def compare(old: Report, new: Report, threshold: float = 0.1) -> Comparison:
    """Compare what both have; `threshold`: the share that may be lost."""
    found = Comparison(remarks=list(_remarks(old, new)))
    before, after = _series(old), _series(new)
    for key, (result, series) in before.items():
        if key not in after:
            found.missing.append(f"{key[0]}: {key[1]}")
            continue
        later, now = after[key]
        allowed = threshold + disturbance(result.noise) + disturbance(later.noise)
        found.changes.append(_change(key[0], series, now, allowed))
    return found


def disturbance(noise: Noise) -> float:
    """Return the share by which a run's times may be wrong because the machine was not quiet.

    What the hypervisor kept is time that was missing; the fixed loop tells what the cores' speed did; what
    other processes took is counted by half, for they also leave cores free.
    """
    if noise.is_quiet:
        return 0.0
    return noise.steal + abs(noise.drift) + 0.5 * noise.others


def _series(report: Report) -> dict[tuple[str, str], tuple[Result, Series]]:
    return {(each.bench, series.name): (each, series) for each in report.results for series in each.series}


def _change(bench: str, old: Series, new: Series, allowed: float) -> Change:
    ratio = ratio_of_medians(new.samples, old.samples)
    loss = Interval(1 / ratio.value, 1 / ratio.high, 1 / ratio.low) if new.better == HIGHER else ratio
    medians = (old.percentiles()[50].value, new.percentiles()[50].value)
    counts = (len(old.samples), len(new.samples))
    return Change(bench, new.name, new.unit, *medians, ratio, loss, allowed, counts)


def _remarks(old: Report, new: Report) -> Iterator[str]:
    for name in sorted(old.environment.keys() | new.environment.keys()):
        before, after = (report.environment.get(name, "nothing") for report in (old, new))
        if before != after:
            yield f"{name} was {before} and is {after}"
    for word, report in (("old", old), ("new", new)):
        if report.disturbed:
            yield f"the machine was not quiet in the {word} run: {', '.join(report.disturbed)}"

"""Figures of options: measured on the user's machine where a report of benches has them, else as shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mien.bench.timed import files
from mien.choose.options import Option


@dataclass(frozen=True, slots=True)
class Figure:
    """A value, and where it comes from; `own`: from the user's machine."""

    value: float
    unit: str
    whence: str
    own: bool


class Figures:
    """Looks figures up; `report`: what `mien bench all` wrote, None without."""

    def __init__(self, report: Path | None = None) -> None:
        self._own: Mapping[tuple[str, str], Figure] = {}
        if report is not None:
            read = files.read(report)
            machine = read.environment.get("processor", "this machine")
            self._own = {
                (result.bench, each.name): Figure(
                    each.percentiles()[50].value,
                    each.unit,
                    f"measured here: {machine}{'' if result.noise.is_quiet else ', which was not quiet'}",
                    True,
                )
                for result in read.results
                for each in result.series
            }

    def of(self, option: Option, name: str) -> Figure | None:
        """Return a figure of an option; None when nobody has measured it."""
        key = option.bench.get(name)
        if key is not None and key in self._own:
            return self._own[key]
        shipped = option.measured.get(name)
        if shipped is None:
            return None
        told = f"{'measured' if shipped.how == 'run' else 'inferred'} on {shipped.machine}, {shipped.date}"
        return Figure(shipped.value, shipped.unit, f"{told} ({shipped.source})", False)

    def whole(self) -> Figure | None:
        """Return the latency of a whole conversation on the user's machine."""
        return self._own.get(("live", "last voiced sample to first sound"))

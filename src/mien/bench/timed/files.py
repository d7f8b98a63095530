"""Results in files: one bench's, or a whole report's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from mien.atomic import write_bytes
from mien.bench.timed import plots
from mien.bench.timed.environment import environment
from mien.bench.timed.plots import Grid
from mien.bench.timed.result import Result
from mien.contents import contents, parse_json
from mien.errors import CorruptError

FORMAT: Final = 1


@dataclass(slots=True)
class Report:
    """Results of one run of the command. `left_out`: (bench, why); `failed`: those of them that were begun;
    `grids`: models on targets.
    """

    command: str
    results: list[Result] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    asked_s: float = 0.0
    took_s: float = 0.0
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    environment: dict[str, str] = field(default_factory=environment)
    failed: list[str] = field(default_factory=list)

    @property
    def disturbed(self) -> list[str]:
        """The benches during which the machine was not quiet."""
        return [result.bench for result in self.results if not result.noise.is_quiet]

    @property
    def empty(self) -> list[str]:
        """The benches that were begun and gave no figure."""
        silent = (result.bench for result in self.results if not any(each.samples for each in result.series))
        return [*self.failed, *silent]

    def to_json(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "format": FORMAT,
            "command": self.command,
            "made": self.made,
            "asked_s": round(self.asked_s, 1),
            "took_s": round(self.took_s, 1),
            "environment": self.environment,
            "benches": [result.to_json() for result in self.results],
            "left_out": [list(each) for each in self.left_out],
            "failed": self.failed,
            "grids": [plots.to_json(each) for each in self.grids],
        }


def write(report: Report, path: Path) -> None:
    """Write a report as JSON; raises `ResourceError`."""
    text = json.dumps(report.to_json(), ensure_ascii=False, separators=(",", ":"))
    write_bytes(path, (text.replace('{"bench":', '\n{"bench":') + "\n").encode())


def read(path: Path) -> Report:
    """Read a report; raises `MissingError` without the file, `CorruptError` when it is none."""
    try:
        table = parse_json(contents(path, "report", "make one: mien bench all -o report/"))
    except ValueError as error:
        raise CorruptError(f"{path} is no JSON ({error}); make one: mien bench all -o report/") from None
    if not isinstance(table, Mapping) or table.get("format") != FORMAT:
        raise CorruptError(f"{path} is no report of mien bench; make one: mien bench all -o report/")
    try:
        return Report(
            str(table["command"]),
            [Result.from_json(each) for each in table["benches"]],
            _pairs(table["left_out"]),
            [plot for plot in map(plots.from_json, table["grids"]) if isinstance(plot, Grid)],
            float(table["asked_s"]),
            float(table["took_s"]),
            str(table["made"]),
            dict(table["environment"]),
            list(map(str, table.get("failed", ()))),
        )
    except (KeyError, TypeError, ValueError) as error:
        told = f"{type(error).__name__} {error}"
        raise CorruptError(f"{path} is no whole report of mien bench ({told}); make it anew") from None


def _pairs(rows: Sequence[Sequence[Any]]) -> list[tuple[str, str]]:
    return [(str(name), str(why)) for name, why in rows]

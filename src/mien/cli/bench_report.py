"""Tables of `mien bench`'s series, and their files."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from mien.bench.timed import files
from mien.bench.timed.files import Report
from mien.bench.timed.result import Result
from mien.bench.timed.statistics import Interval
from mien.errors import InputError


def show(report: Report) -> None:
    """Print each bench's figures, remarks and noise."""
    console = Console()
    for result in report.results:
        console.print(_series(result))
        for name, value, unit in result.facts:
            told = value if isinstance(value, str) else f"{value:.4g}"
            console.print(f"{name}: {told} {unit}".rstrip(), markup=False, highlight=False)
        for note in result.notes:
            console.print(f"note: {note}", markup=False, highlight=False)
        click.echo(ending(result))


def write(report: Report, out: Path) -> None:
    """Write a report as JSON or as a page; raises `InputError` for another ending."""
    if out.suffix == ".json":
        files.write(report, out)
    elif out.suffix == ".html":
        from mien.bench.page import page

        page.write(report, out)
    else:
        raise InputError(f"can not write {out}: end its name in .json or .html")


def ending(result: Result) -> str:
    """Return how long it took, and whether the machine was quiet."""
    count = sum(len(each.samples) for each in result.series)
    told = f"{result.bench}: {count} samples in {result.took_s:.1f} s of {result.asked_s:g} s"
    if result.noise.is_quiet:
        return f"{told}; the machine was quiet"
    return f"{told}; the machine was NOT quiet: {'; '.join(result.noise.reasons)}"


def _series(result: Result) -> Table:
    table = Table("figure", title=result.title, box=None, title_justify="left")
    for head in ("median", "95 % of it", "p95", "p99", "unit", "samples", "warm-up"):
        table.add_column(head, justify="right")
    for each in result.series:
        found = each.percentiles()
        cells = [_value(found.get(p)) for p in (50, 95, 99)]
        between = f"{found[50].low:.4g} to {found[50].high:.4g}" if 50 in found else ""
        warm = ", ".join(f"{value:.4g}" for value in each.warm_up[:3])
        count = str(len(each.samples))
        table.add_row(each.name, cells[0], between, *cells[1:], each.unit, count, warm)
    return table


def _value(found: Interval | None) -> str:
    return "-" if found is None else f"{found.value:.4g}"

"""Tables of `mien bench`'s series, and their files."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from mien.atomic import check, refused
from mien.bench.timed import files
from mien.bench.timed.files import Report
from mien.bench.timed.result import Result
from mien.bench.timed.statistics import Interval
from mien.bench.timed.versus import Comparison, Verdict
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
    for name, why in report.left_out:
        click.echo(f"{name}: left out: {why}")


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


class Folder:
    """The folder of a report: `results.json` and `report.html`, tried at once: a refusal comes early."""

    def __init__(self, path: Path) -> None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused(error, path) from error
        self.figures, self.page = path / "results.json", path / "report.html"
        for file in (self.figures, self.page):
            check(file)

    def save(self, report: Report) -> None:
        """Write the figures that there are."""
        files.write(report, self.figures)

    def finish(self, report: Report) -> None:
        """Write figures and page."""
        write(report, self.figures)
        write(report, self.page)


def show_changes(found: Comparison, *, everything: bool) -> None:
    """Print what changed, what can not be compared, and one line of how many."""
    console = Console()
    table = Table("bench", "figure", box=None)
    for head in ("old", "new", "unit", "ratio", "95 % of it", "allowed", "verdict"):
        table.add_column(head, justify="right")
    colours = {
        Verdict.WORSE: "[red]",
        Verdict.BETTER: "[green]",
        Verdict.UNSURE: "[yellow]",
        Verdict.SAME: "",
    }
    shown = [each for each in found.changes if everything or each.verdict is not Verdict.SAME]
    for each in sorted(shown, key=lambda change: -change.loss.value):
        table.add_row(
            each.bench, each.name, f"{each.old:.4g}", f"{each.new:.4g}", each.unit, f"{each.ratio.value:.3f}",
            f"{each.ratio.low:.3f} to {each.ratio.high:.3f}", f"{each.allowed:.0%}",
            f"{colours[each.verdict]}{each.verdict}",
        )  # fmt: skip
    if shown:
        console.print(table)
    for line in [*found.remarks, *(f"not in the new run: {name}" for name in found.missing)]:
        console.print(f"note: {line}", markup=False, highlight=False)
    counts = {each: sum(change.verdict is each for change in found.changes) for each in Verdict}
    click.echo(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))

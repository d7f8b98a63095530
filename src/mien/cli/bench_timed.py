"""`mien bench NAME --seconds N`: the benches of one shape, and all of them."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mien.cli.progress import progress
from mien.errors import ResourceError

if TYPE_CHECKING:
    from mien.bench.timed.files import Report

DEFAULT_S = 20.0

# name → one line for the help; `say`, `live` and `render` are commands with figures of their own, too.
ALONE = {
    "startup": "From nothing to the first sound and the first picture.",
    "engine": "One model in all forms that this machine has: time and error.",
    "transport": "WebSocket and HTTP of a real server: first frames, TLS, cold and warm.",
    "batch": "Batches of 1 to 32: throughput, p99, use of the cores, the knee.",
    "fallback": "What it costs when an engine is set aside, and of what that is made.",
    "memory": "Memory over ten rounds: what stays, fragments, leaks.",
    "chain": "A 1080p picture through OpenVINO and ONNX Runtime: load, copy, pre, run, post.",
}
SECONDS = click.option(
    "--seconds",
    type=click.FloatRange(1),
    default=DEFAULT_S,
    show_default=True,
    help="Its time; it ends then.",
)
OUT = click.option("-o", "--out", type=click.Path(path_type=Path), help="Write JSON, or a report (.html).")


ALL_EPILOG = """\b
Examples:
  mien bench all --minutes 10 -o report/
  mien bench all --minutes 1                  # few samples, and what needs more time is left out
  mien bench compare report/results.json later/results.json

Leave the machine alone meanwhile: what disturbs it is told. Ctrl-C keeps what is done."""
COMPARE_EPILOG = """\b
Example:
  mien bench compare report/results.json later/results.json --threshold 0.05

Worse is a median whose ratio lies beyond the threshold with its whole 95 % interval. Where the machine was
not quiet in a run, the threshold grows by the disturbance."""


def add_to(group: click.Group) -> None:
    """Add the commands that measure one thing."""
    for name, line in ALONE.items():
        group.add_command(_command(name, line))
    group.add_command(everything)
    group.add_command(compare)


def or_sampled(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option `--seconds`: then the bench of its name and the one shape runs instead."""
    option = click.option(
        "--seconds",
        type=click.FloatRange(1),
        help="Instead of all that: samples for so long, with intervals.",
    )

    @functools.wraps(function)
    def command(*, seconds: float | None, **given: Any) -> None:
        if seconds is None:
            function(**given)
        else:
            alone(function.__name__, seconds, given.get("out"))

    return option(command)


def _command(name: str, line: str) -> click.Command:
    @click.command(name, help=line)
    @SECONDS
    @OUT
    def command(seconds: float, out: Path | None) -> None:
        alone(name, seconds, out)

    return command


def alone(name: str, seconds: float, out: Path | None) -> None:
    """Run one bench, show its figures, and write them."""
    from mien.atomic import check
    from mien.bench.timed import benches, files
    from mien.cli.bench_report import show, write

    if out is not None:
        check(out)
    words = ["mien", "bench", name, "--seconds", f"{seconds:g}"]
    with progress() as tell:
        result = benches.measure(name, seconds, shlex.join(words), tell)
    report = files.Report(
        shlex.join(["mien", *sys.argv[1:]]), [result], asked_s=seconds, took_s=result.took_s
    )
    show(report)
    if out is not None:
        write(report, out)
        click.echo(f"made {out}")
    if not result.complete:
        raise KeyboardInterrupt
    _refuse(report)


@click.command("all", epilog=ALL_EPILOG)
@click.option("--minutes", type=click.FloatRange(0.5), default=10.0, show_default=True, help="All its time.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="A folder.",
)
@click.option(
    "--matrix", type=click.Path(path_type=Path), help="Of `mien check MODEL --target all -o FILE`: is drawn."
)
def everything(minutes: float, out: Path, matrix: Path | None) -> None:
    """Run all benches within a given time, and write one page and one file of JSON."""
    from mien.bench.timed import matrix as matrices
    from mien.bench.timed import suite
    from mien.bench.timed.files import Report
    from mien.cli.bench_report import Folder, show

    folder = Folder(out)
    report = Report(shlex.join(["mien", *sys.argv[1:]]))
    if matrix is not None:
        report.grids.append(matrices.read(matrix))
    try:
        with progress() as tell:
            suite.run(report, 60 * minutes, save=lambda: folder.save(report), tell=tell)
    finally:
        if report.results:
            folder.finish(report)
            show(report)
            click.echo(f"made {folder.page} and {folder.figures} in {report.took_s / 60:.1f} minutes")
    _refuse(report)


def _refuse(report: Report) -> None:
    """End with exit code 1 when a bench was begun and gave no figure."""
    if report.empty:
        raise ResourceError(f"no figure came of {', '.join(report.empty)}; the report says why")


@click.command(epilog=COMPARE_EPILOG)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "--threshold",
    type=click.FloatRange(0.0),
    default=0.1,
    show_default=True,
    help="A share that may be lost.",
)
@click.option("--all", "everything_", is_flag=True, help="Show what did not change, too.")
def compare(old: Path, new: Path, threshold: float, *, everything_: bool) -> None:
    """Say what became worse or better from OLD to NEW beyond the noise; exit code 1 when it is worse."""
    from mien.bench.timed import files, versus
    from mien.cli.bench_report import show_changes

    found = versus.compare(files.read(old), files.read(new), threshold)
    show_changes(found, everything=everything_)
    if found.worse:
        raise SystemExit(1)

"""`mien measure`: the judge of any talking-head file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.cli.progress import progress

if TYPE_CHECKING:
    from mien.audio.pcm import Pcm
    from mien.measure import Heard, Report

_EXAMPLES = """\b
Examples:
  mien measure hello.mp4
  mien measure hello.mp4 --text "Hello. I am your digital human."
  mien measure call.webm --json
  mien measure hello.mp4 --plot hello.png --max-offset-ms 15    # exit code 1 when it is more"""

# Option → the field of the report that it limits.
_LIMITS = {
    "max_offset_ms": "av_offset_ms",
    "max_drift_ms": "av_drift_ms_per_10min",
    "min_closure_recall": "closure_recall",
    "min_labiodental_recall": "labiodental_recall",
    "min_closed_in_silence": "closed_in_silence",
    "max_jitter": "jitter",
    "max_dropped": "dropped_frames",
    "max_duplicated": "duplicated_frames",
}


def _limit_options(function: Callable[..., None]) -> Callable[..., None]:
    for name, field in reversed(_LIMITS.items()):
        bound = "more" if name.startswith("max") else "less"
        flag = f"--{name.replace('_', '-')}"
        function = click.option(flag, type=float, help=f"Fail when {field} is {bound}.")(function)
    return function


@click.command(epilog=_EXAMPLES)
@click.argument("film", type=click.Path(path_type=Path))
@click.option("--text", help="What is said in the film: the lips are then judged phone by phone.")
@click.option("--language", default="en", show_default=True, help="Language of --text: en or zh.")
@click.option("--phones", type=click.Path(path_type=Path), help="What is said, as timed phones in JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw mouth and sound over time into a PNG.")
@_limit_options
def command(
    film: Path,
    text: str | None,
    language: str,
    phones: Path | None,
    as_json: bool,
    plot: Path | None,
    **given: float | None,
) -> None:
    """Judge the lip-sync of any talking-head FILM."""
    from mien.measure import examine, read_phones
    from mien.measure.verdict import failures

    if text is not None and phones is not None:
        raise click.UsageError("give --text or --phones, not both")
    limits = {_LIMITS[name]: value for name, value in given.items() if value is not None}
    heard = read_phones(phones) if phones else None
    align = _align(text, language)
    with progress(quiet=as_json) as tell:
        report, evidence = examine(film, phones=heard, align=align, progress=tell)
    if plot:
        from mien.measure.plot import draw

        draw(report, evidence, plot)
    failed = failures(report, limits)
    _show(report, limits, as_json=as_json, plot=plot)
    for line in failed:
        click.echo(f"mien: {line}", err=True)
    if failed:
        raise SystemExit(1)


def _align(text: str | None, language: str) -> Callable[[Pcm], Heard] | None:
    if text is None:
        return None
    from mien.measure.aligned import aligner

    return aligner(text, language)


def _show(report: Report, limits: dict[str, float], *, as_json: bool, plot: Path | None) -> None:
    from mien.measure.table import table
    from mien.measure.verdict import advice

    if as_json:
        click.echo(report.to_json())
        return
    from rich.console import Console

    Console().print(table(report, limits))
    click.echo(f"{advice(report)}{f'; curves in {plot}' if plot else ''}")

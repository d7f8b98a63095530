"""`mien bench`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.cli import bench_timed
from mien.cli.options import SIZE
from mien.cli.progress import progress

if TYPE_CHECKING:
    from mien.bench import Figures

MODEL_EPILOG = """\b
Examples:
  mien bench model joe/vocoder
  mien bench model model.engine --batch 1,2,4,8,16 --threads 1,2 -o curve.png
  mien bench model a.onnx --against b.onnx --data samples.npz -o figures.json

MODEL is an engine's folder, an ONNX file or a name. It takes turns with plain ONNX Runtime (default options)
and, where torch and onnx2torch are installed, with eager PyTorch, torch.compile and TorchScript. The knee is
the smallest batch with nine tenths of the best throughput."""

EPILOG = """\b
Examples:
  mien bench say
  mien bench say --minutes 10 -o say.json
  mien bench live --persona joe --recordings prompts/ -o live.json
  mien bench live --sessions 8 --turns 10      # callers of a server, at once
  mien bench live --interrupt --turns 50       # each word into the answer before
  mien bench live --soak-minutes 10            # memory, files and drift of a long call
  mien bench render --size 1280x720 --avatar joe --pictures out"""


@click.group()
def command() -> None:
    """Measure this machine's figures, beside what is asked of them."""


bench_timed.add_to(command)


@command.command(epilog=EPILOG)
@click.option("--minutes", type=float, default=0.0, help="Also make a film of this length: drift and memory.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write the figures as JSON, or .md.")
@bench_timed.or_sampled
def say(minutes: float, out: Path | None) -> None:
    """Start, voices, lips, sync of encoded films, time and memory of `mien say` (some minutes)."""
    from mien.atomic import check
    from mien.bench.say import run

    if out is not None:
        check(out)
    with progress() as tell:
        figures = run(minutes=minutes, tell=tell)
    _show(figures)
    _write(figures, out)


def _numbers(_context: click.Context, option: click.Parameter, value: str) -> tuple[int, ...]:
    """Return `1,2,4` as numbers."""
    parts = value.split(",")
    if not all(part.strip().isdigit() for part in parts) or (option.name == "batches" and "0" in parts):
        raise click.BadParameter(f"{value!r} is no list of numbers; write 1,2,4")
    return tuple(int(part) for part in parts)


@command.command(epilog=MODEL_EPILOG)
@click.argument("name", metavar="MODEL")
@click.option("--against", type=click.Path(path_type=Path), help="The yardsticks' ONNX file.")
@click.option("--batch", "batches", default="1,2,4,8,16", show_default=True, callback=_numbers)
@click.option("--threads", default="0", callback=_numbers, help="1,2: a table for each; 0: as mien chooses.")
@click.option("--data", metavar="FILE.npz", help="Inputs, or random:1[,AXIS=SIZE...]; else made up.")
@click.option("--seconds", type=click.FloatRange(0.05), default=2.0, show_default=True, help="A size.")
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda, cuda:1.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write a picture (.png) or .json.")
def model(
    name: str,
    against: Path | None,
    batches: tuple[int, ...],
    threads: tuple[int, ...],
    data: str | None,
    seconds: float,
    device: str,
    out: Path | None,
) -> None:
    """Time an engine in batches beside plain ONNX Runtime and PyTorch, in one run."""
    from mien.atomic import check
    from mien.bench.model import Job, run
    from mien.cli.bench_tables import show, write

    if out is not None:
        check(out)
    with progress() as tell:
        result = run(Job(name, against, batches, threads, data, seconds, device), tell)
    show(result)
    if out is not None:
        write(result, out)
        click.echo(f"made {out}")


@command.command(epilog=EPILOG)
@click.option("-p", "--persona", default="ava", show_default=True, help="Who is talked to.")
@click.option("--turns", type=click.IntRange(1), default=50, show_default=True)
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder with recorded voices and their words (.txt, NAME: WORDS); else the pack samples, cut.",
)
@click.option("--side-by-side", is_flag=True, help="Also without speculation and with a padded window.")
@click.option(
    "--sessions", type=click.IntRange(0), default=0, help="Callers of a server, at once, each --turns."
)
@click.option("--interrupt", is_flag=True, help="Callers speak into the answer to what they said before.")
@click.option("--soak-minutes", type=click.FloatRange(0.0), default=0.0, help="One caller, for so long.")
@click.option("--url", help="A running server; else one is started for the callers.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write the figures as JSON, or .md.")
@bench_timed.or_sampled
def live(
    persona: str,
    turns: int,
    recordings: Path | None,
    *,
    side_by_side: bool,
    sessions: int,
    interrupt: bool,
    soak_minutes: float,
    url: str | None,
    out: Path | None,
) -> None:
    """Talk to a persona with recorded voices: from the last voiced sample to the answer's first sound.

    One session of this process, on a clock that skips what is only waited; with --sessions, --interrupt or
    --soak-minutes (memory, files and drift), callers of a server, in real time.
    """
    from mien.atomic import check
    from mien.bench.live import called, talked_to

    if out is not None:
        check(out)
    with progress() as tell:
        if sessions or interrupt or soak_minutes or url:
            figures = called(
                persona,
                turns,
                recordings,
                sessions=sessions or 1,
                interrupts=interrupt,
                minutes=soak_minutes,
                url=url,
                tell=tell,
            )
        else:
            figures = talked_to(persona, turns, recordings, side_by_side=side_by_side, tell=tell)
    _show(figures)
    _write(figures, out)


@command.command(epilog=EPILOG)
@click.option("--avatar", default="ava", show_default=True, help="The head that is drawn.")
@click.option("--size", type=SIZE, multiple=True, help="Width x height; can be given several times.")
@click.option("--frames", type=click.IntRange(0), default=0, help="Also draw so many: growth of memory.")
@click.option("--pictures", type=click.Path(path_type=Path), help="Folder for a picture of each size.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write the figures as JSON, or .md.")
@bench_timed.or_sampled
def render(
    avatar: str, size: tuple[tuple[int, int], ...], frames: int, pictures: Path | None, out: Path | None
) -> None:
    """Frames a second of the renderer by size and threads, and CPU time of each stage (a minute)."""
    from mien.atomic import check
    from mien.bench.render import SIZES, run

    if out is not None:
        check(out)
    with progress() as tell:
        figures = run(avatar, size or SIZES, frames=frames, pictures=pictures, tell=tell)
    _show(figures)
    _write(figures, out)


def _write(figures: Figures, out: Path | None) -> None:
    from mien.atomic import write_bytes

    if out is not None:
        text = figures.to_markdown() if out.suffix == ".md" else figures.to_json()
        write_bytes(out, (text + "\n").encode())
        click.echo(f"made {out}")


def _show(figures: Figures) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("figure", "reached", "unit", "asked", "", box=None)
    mark = {True: "[green]✓", False: "[red]✗", None: ""}
    for row in figures:
        table.add_row(row.name, row.shown, row.unit, row.wanted, mark[row.kept])
    Console().print(table)

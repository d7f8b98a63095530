"""`mien bench`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.cli.progress import progress

if TYPE_CHECKING:
    from mien.bench import Figures

EPILOG = """\b
Examples:
  mien bench say
  mien bench say --minutes 10 -o say.json"""


@click.group()
def command() -> None:
    """Measure this machine's figures, beside what is asked of them."""


@command.command(epilog=EPILOG)
@click.option("--minutes", type=float, default=0.0, help="Also make a film of this length: drift and memory.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write the figures as JSON, or .md.")
def say(minutes: float, out: Path | None) -> None:
    """Start, voices, lips, sync of encoded films, time and memory of `mien say` (some minutes)."""
    from mien.atomic import check, write_bytes
    from mien.bench.say import run

    if out is not None:
        check(out)
    with progress() as tell:
        figures = run(minutes=minutes, tell=tell)
    _show(figures)
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

"""Progress on stderr, where it is a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mien.progress import Progress, silent

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Progress]:
    """Give a function that shows what is being done and the share of it that is done: as a bar on a
    terminal, elsewhere as a line for each thing that is begun.
    """
    if quiet:
        yield silent
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<24}"), BarColumn(40), TaskProgressColumn(), TimeElapsedColumn())
    with bars(*columns) as bar:
        task = bar.add_task("starting", total=1.0)

        def tell(what: str, share: float) -> None:
            if bar.tasks[0].description != what:
                bar.reset(task, description=what)
                if bar.disable:
                    click.echo(f"mien: {what}", err=True)
            bar.update(task, completed=share)

        yield tell


def bars(*columns: ProgressColumn) -> Bars:
    """Return bars that go away at their end; what is not a terminal gets nothing, not even a line feed."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    return Bars(*columns, console=console, transient=True, disable=not console.is_terminal)

"""Progress on stderr, where it is a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from mien.progress import Progress, silent

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn

SLOW_S = 1.0


@contextmanager
def progress(*, quiet: bool = False) -> Iterator[Progress]:
    """Give a function that shows what is being done and the share of it that is done: as a bar on a
    terminal, elsewhere as a line for each thing that takes long.
    """
    if quiet:
        yield silent
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<24}"), BarColumn(40), TaskProgressColumn(), TimeElapsedColumn())
    with bars(*columns) as bar:
        task, lines = bar.add_task("starting", total=1.0), Lines()

        def tell(what: str, share: float) -> None:
            if bar.disable:
                lines.tell(what)
                return
            if bar.tasks[0].description != what:
                bar.reset(task, description=what)
            bar.update(task, completed=share)

        yield tell


@dataclass(slots=True)
class Lines:
    """Progress where there is no terminal: a line for each thing that takes longer than `SLOW_S`."""

    what: str = ""
    began_s: float = 0.0
    said: bool = False

    def tell(self, what: str) -> None:
        """Hear what is being done, and say it once when it goes on for long."""
        if what != self.what:
            self.what, self.began_s, self.said = what, time.monotonic(), False
        elif not self.said and time.monotonic() - self.began_s > SLOW_S:
            self.said = True
            click.echo(f"mien: {what} ...", err=True)


def bars(*columns: ProgressColumn) -> Bars:
    """Return bars that go away at their end; what is not a terminal gets nothing, not even a line feed."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    return Bars(*columns, console=console, transient=True, disable=not console.is_terminal)

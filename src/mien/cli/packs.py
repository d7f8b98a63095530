"""`mien packs`: models and assets as verified data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.cli.progress import bars

if TYPE_CHECKING:
    from mien.packs.progress import Progress, Report

MB = 1e6  # bytes
_EXAMPLES = """\b
Examples:
  mien packs list
  mien packs pull core                    # what `mien say --persona joe` needs
  mien packs pull all                     # every voice and the judge's networks too
  mien packs bundle mien-packs.tar all    # here, where there is a network ...
  mien packs install mien-packs.tar       # ... and there, where there is none
  mien packs verify"""


@click.group(epilog=_EXAMPLES)
def command() -> None:
    """List, pull, verify and bundle models and assets."""


@command.command("list")
def list_() -> None:
    """Show every pack: what it is, its size, licence and state."""
    from rich.console import Console
    from rich.table import Table

    from mien.packs import catalogue, home, store

    table = Table("name", "what", "MB", "licence", "state", box=None, header_style="bold", pad_edge=False)
    table.columns[2].justify = "right"
    states = {name: store.state(catalogue.manifest(name)) for name in catalogue.names()}
    for name, state in states.items():
        pack = catalogue.manifest(name)
        table.add_row(name, pack.title, f"{pack.size / MB:.0f}", pack.licence, str(state))
    Console().print(table)
    lacking = [name for name, state in states.items() if state is not store.State.INSTALLED]
    next_step = f"pull with: mien packs pull {' '.join(lacking)}" if lacking else "all are there"
    click.echo(f"{len(states) - len(lacking)} of {len(states)} packs are installed in {home()}; {next_step}")


@command.command(
    epilog="\b\nExamples:\n  mien packs pull core\n  mien packs pull kokoro faces\n  mien packs pull all"
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def pull(names: Sequence[str]) -> None:
    """Download and install packs or groups (core, all); what is already whole is left alone."""
    from mien import packs

    with _bars() as report:
        new = packs.pull(names, report)
    said = f"installed {', '.join(new)} in {packs.home()}" if new else "everything was already installed"
    click.echo(f"{said}; next: {_greeting()}")


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
def verify(names: Sequence[str]) -> None:
    """Hash every file of the packs (default: those installed) and name each that is not right."""
    from mien import packs
    from mien.errors import CorruptError

    wanted = list(names) or _present()
    with _bars() as report:
        faults = packs.verify(wanted, report)
    for fault in faults:
        click.echo(str(fault), err=True)
    if faults:
        bad = " ".join(sorted({fault.pack for fault in faults}))
        raise CorruptError(f"{len(faults)} files are not right; mend them with: mien packs pull {bad}")
    click.echo(f"verified {', '.join(wanted) or 'nothing: no pack is installed; next: mien packs pull core'}")


@command.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("names", nargs=-1, metavar="[NAME]...")
def bundle(file: Path, names: Sequence[str]) -> None:
    """Write packs (default: those installed) to one archive for a machine without a network."""
    from mien import packs
    from mien.errors import MissingError

    wanted = list(names) or packs.installed()
    if not wanted:
        raise MissingError("no pack is installed to bundle; run: mien packs pull core")
    with _bars() as report:
        packs.bundle(wanted, file, report)
    size = f"{file.stat().st_size / MB:.0f} MB"
    click.echo(
        f"wrote {file} ({size}: {', '.join(wanted)}); on the other machine: mien packs install {file.name}"
    )


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
def install(file: Path) -> None:
    """Install the packs of a bundle that `mien packs bundle` wrote."""
    from mien import packs

    with _bars() as report:
        names = packs.install(file, report)
    click.echo(f"installed {', '.join(names)} in {packs.home()}; next: {_greeting()}")


@command.command()
@click.argument("name")
def remove(name: str) -> None:
    """Delete an installed pack."""
    from mien import packs

    gone = packs.remove(name)
    click.echo(f"removed {name}; back with: mien packs pull {name}" if gone else f"{name} was not installed")


@command.command()
@click.argument("name")
def path(name: str) -> None:
    """Print the folder of an installed pack."""
    from mien import packs

    click.echo(str(packs.path(name)))


def _greeting() -> str:
    """Return a first command that works with the packs that are there."""
    from mien import packs

    who = "" if "kokoro" in packs.installed() else "--persona joe "
    return f'mien say {who}"Hello." -o hello.mp4'


def _present() -> list[str]:
    """Return the packs that have a folder, whole or not."""
    from mien.packs import catalogue, store

    return [name for name in catalogue.names() if store.folder(name).exists()]


@contextmanager
def _bars() -> Iterator[Report]:
    """Show one bar on stderr for each step of each pack."""
    from rich.progress import BarColumn, DownloadColumn, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(20), DownloadColumn(), TimeElapsedColumn())
    tasks: dict[str, TaskID] = {}
    with bars(*columns) as shown:

        def report(now: Progress) -> None:
            what = f"{now.pack}: {now.step} {now.item}".rstrip()
            if now.pack not in tasks:
                tasks[now.pack] = shown.add_task(what, total=None)
            shown.update(tasks[now.pack], description=what, completed=now.done, total=now.total or None)

        yield report

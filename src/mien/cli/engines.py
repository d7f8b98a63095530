"""`mien engines`: the compiled models in the cache."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  mien engines list
  mien engines prune                    # what does not fit this machine any more, and left-overs
  mien engines prune --older-than 30    # days since it was made
  mien engines prune --all"""


@click.group()
def command() -> None:
    """List and prune the engines in the cache ($MIEN_HOME/engines)."""


@command.command("list")
def list_() -> None:
    """List the engines: what, how large, how old, and whether they fit this machine."""
    from rich.console import Console
    from rich.table import Table

    from mien.engine import cache, shelf

    found = shelf.entries()
    table = Table("engine", "MB", "days", "state", box=None)
    for entry in found:
        table.add_row(entry.path.name, f"{entry.size_bytes / 1e6:.1f}", f"{entry.age_days:.0f}", entry.state)
    if found:
        Console().print(table)
    total = sum(entry.size_bytes for entry in found) / 1e6
    click.echo(f"{len(found)} engines, {total:.1f} MB in {cache.folder()}; remove with: mien engines prune")


@command.command(epilog=EPILOG)
@click.option("--all", "everything", is_flag=True, help="All of them: each is made again when it is needed.")
@click.option("--older-than", type=click.FloatRange(0), metavar="DAYS", help="Those made so long ago.")
def prune(everything: bool, older_than: float | None) -> None:
    """Remove engines that do not fit this machine, and whatever the options name."""
    from mien.engine import shelf

    gone = shelf.prune(everything=everything, older_than_days=older_than)
    for entry in gone:
        click.echo(f"removed {entry.path.name} ({entry.state})")
    click.echo(f"removed {len(gone)} engines, {sum(e.size_bytes for e in gone) / 1e6:.1f} MB")

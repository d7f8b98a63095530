"""`mien personas`."""

from __future__ import annotations

import click


@click.command()
def command() -> None:
    """List the personas that are here."""
    from rich.console import Console
    from rich.table import Table

    from mien.persona import spec

    table = Table("name", "title", "language", "voice", "head", box=None)
    for name in spec.names():
        persona = spec.read(name)
        voice = " ".join(str(value) for value in persona.voice.values())
        table.add_row(name, persona.title, persona.language, voice, persona.avatar)
    Console().print(table)
    click.echo('say something: mien say --persona NAME "Hello." -o hello.mp4')

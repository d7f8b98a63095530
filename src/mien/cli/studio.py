"""`mien avatar studio`: a page on this machine with sliders and a live picture."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

_EXAMPLES = """\b
Examples:
  mien avatar studio
  mien avatar studio --no-browser --port 8090 --folder personas
"""
FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command("studio", epilog=_EXAMPLES)
@click.option("--port", type=int, default=0, help="The port to listen on; any free one by default.")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option("--folder", type=FOLDER, default=".", help="Where personas are written; here by default.")
def studio(port: int, no_browser: bool, folder: Path) -> None:
    """Make a head with sliders: a page for your browser, on this machine only; Ctrl-C ends it."""
    from mien.studio.serve import serve

    def ready(address: str) -> None:
        click.echo(f"studio: {address}\nopen it in a browser on this machine; Ctrl-C ends it")

    asyncio.run(serve(folder, port=port, browser=not no_browser, ready=ready))
    click.echo("the studio is closed")

"""`mien serve`: personas for a page, and for any client of OpenAI's Realtime and audio API."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from mien.errors import require

_EXAMPLES = """\b
Examples:
  mien serve                                             # open the address it prints
  mien serve --persona bank --port 8090 --sessions 4
  mien serve --host 0.0.0.0 --jwt-key key.pem --allow-origin https://example.org"""


@click.command(epilog=_EXAMPLES)
@click.option("--port", type=int, default=8080, show_default=True, help="0: any free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("-p", "--persona", default="ava", show_default=True, help="Who speaks when nobody is named.")
@click.option("--sessions", type=int, default=8, show_default=True, help="How many may talk at once.")
@click.option("--jwt-key", type=click.Path(path_type=Path), help="Public key (PEM) or secret for tokens.")
@click.option("--audience", default="mien", show_default=True, help="The aud that tokens must name.")
@click.option("--allow-origin", multiple=True, help="A page elsewhere that may connect; can be repeated.")
@click.option("--insecure", is_flag=True, help="Let others connect without a token.")
@click.option("--grace", type=float, default=20.0, show_default=True, help="Seconds for answers at the end.")
def command(
    port: int,
    host: str,
    persona: str,
    sessions: int,
    jwt_key: Path | None,
    audience: str,
    allow_origin: tuple[str, ...],
    *,
    insecure: bool,
    grace: float,
) -> None:
    """Serve personas to talk to; Ctrl-C ends it after the answers that are being given."""
    for library in ("fastapi", "starlette", "uvicorn", "websockets"):
        require(library, extra="serve")
    from mien.serve.options import ServeOptions

    options = ServeOptions(
        host, port, persona, sessions, jwt_key, audience, allow_origin, insecure=insecure, grace_s=grace
    )
    from mien.serve.server import serve

    asyncio.run(serve(options, lambda address: click.echo(f"talk to {persona}: {address}")))
    click.echo("all sessions are closed")

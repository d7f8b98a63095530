"""`mien serve`: personas for a page, and for any client of OpenAI's Realtime and audio API."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

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
@click.option("--each", type=int, default=0, help="How many of them may be of one token's sub; 0: any.")
@click.option("--longest", "longest_s", type=float, default=0.0, help="Seconds of a session; 0: any.")
@click.option(
    "--slowest", "slowest_s", type=float, default=1.5, show_default=True,
    help="Let nobody in while answers take more seconds than this.",
)  # fmt: skip
@click.option("--jwt-key", type=click.Path(path_type=Path), help="Public key (PEM) or secret for tokens.")
@click.option("--audience", default="mien", show_default=True, help="The aud that tokens must name.")
@click.option("--allow-origin", "origins", multiple=True, help="A page elsewhere that may connect.")
@click.option("--insecure", is_flag=True, help="Let others connect without a token.")
@click.option("--open-metrics", is_flag=True, help="Let /metrics be read without a token.")
@click.option("--traces", is_flag=True, help="Send OpenTelemetry traces where OTEL_* says.")
@click.option("--log-json", is_flag=True, help="Log as lines of JSON, without what people say.")
@click.option("--log-words", is_flag=True, help="Log what people say, too.")
@click.option(
    "--grace", "grace_s", type=float, default=20.0, show_default=True, help="Seconds for answers at the end."
)
def command(**given: Any) -> None:
    """Serve personas to talk to; Ctrl-C ends it after the answers that are being given."""
    for library in ("fastapi", "starlette", "uvicorn", "websockets", "prometheus_client"):
        require(library, extra="serve")
    from mien.serve.options import ServeOptions

    options = ServeOptions(**given)
    from mien.serve.server import serve

    if not options.log_json:
        click.echo(f"mien: loading {options.persona} ... (up to a minute the first time)", err=True)
    asyncio.run(serve(options, lambda address: click.echo(f"talk to {options.persona}: {address}")))
    click.echo("all sessions are closed")

"""`mien ready`: the checklist before production, as an exit code."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mien.cli.check import tell

if TYPE_CHECKING:
    from mien.check import Finding

_EXAMPLES = """\b
Examples:
  mien ready persona joe --lock requirements.lock
  mien ready server --jwt-key mien.key --certificate server.pem --key server.key --each 2 --longest 3600
  mien ready server --url https://example.org --token TOKEN --days 7"""

_SHARED = (
    click.option("--lock", type=click.Path(path_type=Path), help="The file of pinned versions."),
    click.option("--results", "where", type=click.Path(path_type=Path), help="Folder of figures."),
    click.option("--days", "most_days", type=click.FloatRange(0), default=30.0, show_default=True,
                 help="How old figures may be."),
    click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON."),
    click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML, too."),
    click.option("--fail-on", type=click.Choice(["failure", "warning", "never"]), default="failure",
                 show_default=True),
    click.option("-v", "--verbose", is_flag=True, help="Show evidence and times of everything."),
)  # fmt: skip


def _shared(work: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_SHARED):
        work = option(work)
    return work


@click.group(epilog=_EXAMPLES)
def command() -> None:
    """Go through what production needs; the exit code is 1 when something is missing."""


@command.command(epilog=_EXAMPLES)
@click.argument("name")
@click.option("--budget", "budget_ms", type=click.FloatRange(0), default=15.0, show_default=True,
              help="Milliseconds that mouth and sound may be apart.")  # fmt: skip
@_shared
def persona(
    name: str,
    budget_ms: float,
    lock: Path | None,
    where: Path | None,
    most_days: float,
    **shown: Any,
) -> None:
    """A persona: versions, packs, head, mind, engines, lip-sync, disk."""
    from mien.check.ready import persona as check

    began = time.perf_counter()
    found = check(name, lock=lock, where=where, budget_ms=budget_ms, most_days=most_days)
    _end(found, f"persona {name}", began, shown)


@command.command(epilog=_EXAMPLES)
@click.option("--url", default="", help="Where it runs, as those who talk to it write it.")
@click.option("--token", default="", help="One that it takes, to read /metrics.")
@click.option("--jwt-key", type=click.Path(path_type=Path), help="As for mien serve.")
@click.option("--audience", default="mien", show_default=True, help="As for mien serve.")
@click.option("--allow-origin", "origins", multiple=True, help="As for mien serve.")
@click.option("--insecure", is_flag=True, help="As for mien serve.")
@click.option("--each", type=int, default=0, help="As for mien serve.")
@click.option("--longest", "longest_s", type=float, default=0.0, help="As for mien serve.")
@click.option("--certificate", type=click.Path(path_type=Path), help="In PEM; of the proxy before it.")
@click.option("--key", type=click.Path(path_type=Path), help="The certificate's key, in PEM.")
@click.option("--hostname", default="", help="The name that the certificate must be for.")
@_shared
def server(lock: Path | None, where: Path | None, most_days: float, **given: Any) -> None:
    """A server: versions, packs, engines, tokens, TLS, pages, limits, metrics, disk, soak."""
    from mien.check.ready import server as check
    from mien.check.ready.server import Server

    shown = {name: given.pop(name) for name in ("as_json", "junit", "fail_on", "verbose")}
    asked = Server(**{**given, "url": given["url"].rstrip("/")})
    began = time.perf_counter()
    _end(check(asked, lock=lock, where=where, most_days=most_days), asked.url or "server", began, shown)


def _end(found: list[Finding], about: str, began: float, shown: dict[str, Any]) -> None:
    tell(found, about, began, ready=f"{about} is ready", **shown)

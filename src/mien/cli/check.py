"""`mien check`: what works on this machine, on a machine that is not here, and on a running server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mien.check import Finding, Place

_EXAMPLES = """\b
Examples:
  mien check                                   # this machine
  mien check --certificate server.pem --key server.key --hostname example.org --time-server pool.ntp.org
  mien check --json
  mien check --junit report.xml --fail-on warning"""


def _udp(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, int]:
    first, _, last = value.partition("-")
    if not (first.isdigit() and last.isdigit() and 0 < int(first) <= int(last) < 65_536):
        raise click.BadParameter(f"{value!r} is no range of ports; write 50000-50100")
    return int(first), int(last)


@click.command(epilog=_EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write them as JUnit XML, too."
)
@click.option(
    "--fail-on", type=click.Choice(["failure", "warning", "never"]), default="failure", show_default=True
)
@click.option("-v", "--verbose", is_flag=True, help="Show evidence and times of everything.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where a server is to listen.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8080, show_default=True)
@click.option("--udp", default="50000-50100", show_default=True, callback=_udp, help="Ports for media.")
@click.option("--certificate", type=click.Path(path_type=Path), help="The server's, in PEM.")
@click.option("--key", type=click.Path(path_type=Path), help="The certificate's key, in PEM.")
@click.option("--hostname", default="", help="The name that the certificate must be for.")
@click.option(
    "--time-server", default="", help="Who is asked for the time: a host (NTP) or an https address."
)
def command(
    as_json: bool,
    junit: Path | None,
    fail_on: str,
    verbose: bool,
    host: str,
    port: int,
    udp: tuple[int, int],
    certificate: Path | None,
    key: Path | None,
    hostname: str,
    time_server: str,
) -> None:
    """Try everything that mien needs, and say what does not work and what to do.

    Every part is tried in a process of its own that may crash or hang. Nothing is sent anywhere, but for
    the question to --time-server.
    """
    from mien.check import Place

    place = Place(
        host=host, port=port, udp=udp, certificate=certificate, key=key, hostname=hostname,
        time_server=time_server,
    )  # fmt: skip
    _machine(place, as_json=as_json, junit=junit, fail_on=fail_on, verbose=verbose)


def _machine(place: Place, *, as_json: bool, junit: Path | None, fail_on: str, verbose: bool) -> None:
    from mien.check.report import fails, to_json, to_junit

    began = time.perf_counter()
    found = _tried(place)
    if junit is not None:
        from mien.atomic import write_bytes

        write_bytes(junit, to_junit(found, fail_on))
    if as_json:
        click.echo(to_json(found))
    else:
        from rich.console import Console

        from mien.cli.check_tables import last_line, show

        show(found, Console(), verbose=verbose)
        click.echo(last_line(found, time.perf_counter() - began))
    if fails(found, fail_on):
        raise SystemExit(1)


def _tried(place: Place) -> list[Finding]:
    from rich.console import Console

    from mien.check import run
    from mien.check.table import PROBES

    done = 0
    with Console(stderr=True).status("") as status:

        def tell(finding: Finding) -> None:
            nonlocal done
            done += 1
            status.update(f"tried {done} of {len(PROBES)}: {finding.name}")

        return run(place, tell=tell)

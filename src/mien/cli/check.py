"""`mien check`: what works on this machine, on machines that are not here, and on a running server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mien.errors import InputError

if TYPE_CHECKING:
    from mien.check import Finding, Place
    from mien.check.matrix import Matrix

_EXAMPLES = """\b
Examples:
  mien check                                   # this machine
  mien check --certificate server.pem --key server.key --hostname example.org --time-server pool.ntp.org
  mien check --json
  mien check --junit report.xml --fail-on warning
  mien check --target android-arm64 --verbose  # a machine that is not here, from its profile
  mien check model.onnx --target all           # this model on every target
  mien check models/ --target linux-x64-avx2,gpu-l4 --shape frames=1:64:512 -o matrix.json
  mien check talk https://example.org --token TOKEN   # a running server"""

_MODEL, _REPORT, _SERVER = (
    {"shapes", "out"},
    {"junit", "fail_on", "verbose"},
    {"token"},
)  # what options are for
_SPEAK = 'next: mien say --persona joe "Hello." -o hello.mp4'


def _udp(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, int]:
    first, _, last = value.partition("-")
    if not (first.isdigit() and last.isdigit() and 0 < int(first) <= int(last) < 65_536):
        raise click.BadParameter(f"{value!r} is no range of ports; write 50000-50100")
    return int(first), int(last)


@click.command(epilog=_EXAMPLES)
@click.argument("what", nargs=-1, metavar="[MODEL | FOLDER | talk ADDRESS]")
@click.option("-t", "--target", metavar="NAME", help="A machine that is not here, NAME,NAME or all.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML, too.")
@click.option(
    "--fail-on", type=click.Choice(["failure", "warning", "never"]), default="failure", show_default=True
)
@click.option("-v", "--verbose", is_flag=True, help="Show evidence and times of everything.")
@click.option("--shape", "shapes", multiple=True, metavar="AXIS=LEAST:USUAL:MOST", help="A model's range.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write a model's matrix: .json or .png.")
@click.option("--token", help="For talk: who you are.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where a server is to listen.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8080, show_default=True)
@click.option("--udp", default="50000-50100", show_default=True, callback=_udp, help="Ports for media.")
@click.option("--certificate", type=click.Path(path_type=Path), help="The server's, in PEM.")
@click.option("--key", type=click.Path(path_type=Path), help="The certificate's key, in PEM.")
@click.option("--hostname", default="", help="The name that the certificate must be for.")
@click.option("--time-server", default="", help="Who is asked for the time: a host (NTP) or an address.")
def command(
    what: tuple[str, ...],
    target: str | None,
    shapes: tuple[str, ...],
    out: Path | None,
    token: str | None,
    as_json: bool,
    junit: Path | None,
    fail_on: str,
    verbose: bool,
    **place: Any,
) -> None:
    """Try everything that mien needs, and say what does not work and what to do.

    Every part is tried in a process of its own that may crash or hang. Nothing is sent anywhere, but for
    the question to --time-server. The exit code is 1 when something failed (--fail-on), for models when
    none works on any target.
    """
    from mien.check import Place

    began = time.perf_counter()
    if what and what[0] != "talk":
        _refuse("a model", _REPORT | _SERVER | set(place))
        _models(what, target or "all", shapes, out, as_json=as_json)
        return
    _refuse_others(what, target, set(place))
    if what:
        found, about = _talk(what[1:], token), what[-1]
    elif target is not None:
        found, about = _elsewhere(target), target
    else:
        found, about = _tried(Place(**place)), "this machine"
    hint = _SPEAK if about == "this machine" else ""
    tell(found, about, began, ready=hint, as_json=as_json, junit=junit, fail_on=fail_on, verbose=verbose)


def _refuse_others(what: tuple[str, ...], target: str | None, place: set[str]) -> None:
    if what:
        _refuse("a server that runs", _MODEL | {"target"} | place)
    elif target is not None:
        _refuse("a machine that is not here", _MODEL | _SERVER | place)
    else:
        _refuse("this machine", _MODEL | _SERVER)


def _refuse(about: str, others: set[str]) -> None:
    """Raise `InputError` for an option that was given and says nothing about what is checked."""
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        if name in others and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise InputError(
                f"{option.opts[-1]} says nothing about {about}; leave it out, or see mien check -h"
            )


def tell(
    found: list[Finding],
    about: str,
    began: float,
    *,
    as_json: bool,
    junit: Path | None,
    fail_on: str,
    verbose: bool,
    ready: str = "",
) -> None:
    """Print findings, write them, and end with 1 when they are to fail. `ready`: what to say when not."""
    from mien.check.report import fails, to_json, to_junit

    if junit is not None:
        from mien.atomic import write_bytes

        write_bytes(junit, to_junit(found, fail_on))
    if as_json:
        click.echo(to_json(found, about))
    else:
        from rich.console import Console

        from mien.cli.check_tables import last_line, show

        show(found, Console(), verbose=verbose)
        click.echo(last_line(found, time.perf_counter() - began, ready))
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


def _elsewhere(target: str) -> list[Finding]:
    from mien.check.elsewhere import findings
    from mien.check.profiles import select

    return [finding for profile in select(target) for finding in findings(profile)]


def _talk(address: tuple[str, ...], token: str | None) -> list[Finding]:
    if len(address) != 1:
        raise InputError("name one server: mien check talk https://example.org")
    from mien.check.talk import findings

    return findings(address[0], token)


def _models(
    what: tuple[str, ...], target: str, shapes: tuple[str, ...], out: Path | None, *, as_json: bool
) -> None:
    import json

    from mien.cli.progress import progress
    from mien.engine.backends.tensorrt_rtx.shapes import parse

    sizes = parse(shapes)
    if out is not None:
        from mien.atomic import check

        check(out)
    from mien.check.matrix import matrix, models
    from mien.check.profiles import select

    with progress() as tell:
        made = matrix(models(what), select(target), sizes, tell)
    if out is not None:
        _write(made, out)
    if as_json:
        click.echo(json.dumps(made.to_dict(), indent=2, ensure_ascii=False))
    else:
        from rich.console import Console

        from mien.cli.check_matrix import show

        show(made, Console())
        click.echo(f"made {out}" if out else "in full: --json, as a picture: -o matrix.png")
    if not any(made.rate(target) for target in made.targets):
        raise SystemExit(1)


def _write(made: Matrix, out: Path) -> None:
    import json

    from mien.atomic import write_bytes
    from mien.check.picture import png

    if out.suffix == ".png":
        write_bytes(out, png(made))
    elif out.suffix == ".json":
        write_bytes(out, (json.dumps(made.to_dict(), indent=2, ensure_ascii=False) + "\n").encode())
    else:
        raise InputError(f"can not write a matrix to {out.name!r}; valid: .json, .png")

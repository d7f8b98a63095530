"""`mien bench NAME --seconds N`: the benches of one shape, and all of them."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mien.cli.progress import progress

DEFAULT_S = 20.0

# name → one line for the help; `say`, `live` and `render` are commands with figures of their own, too.
ALONE = {
    "startup": "From nothing to the first sound and the first picture.",
    "engine": "One model in all forms that this machine has: time and error.",
    "transport": "WebSocket and HTTP of a real server: first frames, TLS, cold and warm.",
    "batch": "Batches of 1 to 32: throughput, p99, use of the cores, the knee.",
    "fallback": "What it costs when an engine is set aside, and of what that is made.",
    "memory": "Memory over ten rounds: what stays, fragments, leaks.",
    "chain": "A 1080p picture through OpenVINO and ONNX Runtime: load, copy, pre, run, post.",
}
SECONDS = click.option(
    "--seconds",
    type=click.FloatRange(1),
    default=DEFAULT_S,
    show_default=True,
    help="Its time; it ends then.",
)
OUT = click.option("-o", "--out", type=click.Path(path_type=Path), help="Write JSON, or a report (.html).")


def add_to(group: click.Group) -> None:
    """Add the commands that measure one thing."""
    for name, line in ALONE.items():
        group.add_command(_command(name, line))


def or_sampled(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option `--seconds`: then the bench of its name and the one shape runs instead."""
    option = click.option(
        "--seconds",
        type=click.FloatRange(1),
        help="Instead of all that: samples for so long, with intervals.",
    )

    @functools.wraps(function)
    def command(*, seconds: float | None, **given: Any) -> None:
        if seconds is None:
            function(**given)
        else:
            alone(function.__name__, seconds, given.get("out"))

    return option(command)


def _command(name: str, line: str) -> click.Command:
    @click.command(name, help=line)
    @SECONDS
    @OUT
    def command(seconds: float, out: Path | None) -> None:
        alone(name, seconds, out)

    return command


def alone(name: str, seconds: float, out: Path | None) -> None:
    """Run one bench, show its figures, and write them."""
    from mien.atomic import check
    from mien.bench.timed import benches, files
    from mien.cli.bench_report import show, write

    if out is not None:
        check(out)
    words = ["mien", "bench", name, "--seconds", f"{seconds:g}"]
    with progress() as tell:
        result = benches.measure(name, seconds, shlex.join(words), tell)
    report = files.Report(shlex.join(["mien", *sys.argv[1:]]), [result], [], seconds, result.took_s)
    show(report)
    if out is not None:
        write(report, out)
        click.echo(f"made {out}")
    if not result.complete:
        raise KeyboardInterrupt

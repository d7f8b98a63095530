"""`mien inspect`: what a model file is, what is wrong with it, what would happen to it."""

from __future__ import annotations

from pathlib import Path

import click

_EXAMPLES = """\b
Examples:
  mien inspect model.onnx
  mien inspect model.onnx --json > report.json
  mien inspect mine.onnx --trusted        # read it in this process: faster, no limits
  mien inspect large.onnx --no-passes     # only what it holds and what is wrong
  mien inspect model.onnx --data samples.npz   # what passes do on real inputs"""


@click.command(epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--trusted", is_flag=True, help="Read the file in this process, without a limit on memory.")
@click.option("--passes/--no-passes", default=True, help="Try what each graph pass would do.  [default: on]")
@click.option("--data", metavar="FILE.npz", help="Inputs to check passes on, or random:4; else made up.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(file: Path, trusted: bool, passes: bool, data: str | None, as_json: bool) -> None:
    """Say what an ONNX FILE is, what is wrong with it, and what graph passes would do to it.

    The file is read by child processes with limits on memory and time; nothing is written. The exit
    code is 1 when the model must not be run.
    """
    from rich.console import Console
    from rich.markup import escape

    from mien.engine.inspect import inspect
    from mien.errors import require

    require("onnx", extra="voice")
    with Console(stderr=True).status(f"reading {escape(file.name)}"):
        report = inspect(file, trusted=trusted, passes=passes, data=data)
    if as_json:
        click.echo(report.to_json())
    else:
        from mien.cli.inspect_tables import advice, show

        show(report, Console())
        click.echo(advice(report), err=not report.ok)
    if not report.ok:
        raise SystemExit(1)

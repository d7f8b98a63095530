"""`mien diagnose`: why a model does not build for a target, where, and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.cli.progress import progress

if TYPE_CHECKING:
    from mien.engine.diagnose import Result
    from mien.engine.diagnose.diagnose import Options

EPILOG = """\b
Examples:
  mien diagnose model.onnx --target tensorrt-rtx:sm86
  mien diagnose model.onnx --target openvino -o why/       # also writes the smallest part that fails
  mien diagnose models/ --target tensorrt-rtx -o why/      # a table, a picture and JSON over a folder

Targets: onnxruntime-cpu, openvino, tensorrt-rtx, tensorrt-rtx:sm75 ... sm121, for which no GPU is needed;
tensorrt, where it is installed, for the GPU that is here."""


@click.command(epilog=EPILOG)
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--target", required=True, help="onnxruntime-cpu, openvino, tensorrt-rtx:sm89, tensorrt.")
@click.option("--shape", "shapes", multiple=True, metavar="AXIS=MIN:USUAL:MAX", help="Sizes of a free axis.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for the smallest failing parts.")
@click.option("--reduce/--no-reduce", default=True, help="Search the smallest failing part.  [default: on]")
@click.option("--trusted", is_flag=True, help="Validate the file in this process.")
@click.option("--json", "as_json", is_flag=True, help="Print the diagnosis as JSON.")
def command(
    model: Path,
    target: str,
    shapes: tuple[str, ...],
    out: Path | None,
    reduce: bool,
    trusted: bool,
    as_json: bool,
) -> None:
    """Say why MODEL does not build for a target, and what to do.

    MODEL is an ONNX or TFLite file, a folder of them, or package.module:factory (PyTorch).

    The target's library is asked in a child process. The exit code is 1 when a model does not build.
    """
    from mien.engine.backends.tensorrt_rtx.shapes import parse
    from mien.engine.diagnose.ask import TENSORRT
    from mien.engine.diagnose.diagnose import Options
    from mien.errors import InputError

    if shapes and not target.startswith(TENSORRT):
        raise InputError(f"target {target} takes any size: leave --shape {shapes[0]} out")
    options = Options(parse(shapes), reduce, trusted=trusted)
    results = _results(model, target, options)
    _write(model, target, results, out)
    if model.is_dir():
        _show_folder(target, results, out, as_json)
    else:
        _show_file(results[0], out, as_json)
    if not all(each.builds for each in results):
        raise SystemExit(1)


def _results(model: Path, target: str, options: Options) -> list[Result]:
    from mien.engine.diagnose.ask import Backend
    from mien.engine.diagnose.diagnose import diagnose, examine
    from mien.engine.diagnose.distribution import models_in

    with progress(quiet=False) as tell:
        if not model.is_dir():
            return [diagnose(model, target, options, tell)]
        paths, results = models_in(model), []
        with Backend(target, model_bytes=max(path.stat().st_size for path in paths)) as backend:
            for done, path in enumerate(paths):
                tell(path.name, done / len(paths))
                results.append(examine(path, backend, options))
    return results


def _write(model: Path, target: str, results: list[Result], out: Path | None) -> None:
    if out is None:
        return
    from mien.engine.diagnose.files import write, write_distribution

    for each in results:
        inner = each.path.relative_to(model).with_suffix("") if model.is_dir() else Path(each.path.stem)
        write(each, out / inner)
    if model.is_dir():
        write_distribution(target, results, out)


def _show_file(result: Result, out: Path | None, as_json: bool) -> None:
    import json

    from rich.console import Console

    from mien.cli.diagnose_tables import advice, show

    if as_json:
        click.echo(json.dumps(result.to_dict(), indent=2, ensure_ascii=False))
        return
    show(result, Console())
    click.echo(advice(result, out), err=not result.builds)


def _show_folder(target: str, results: list[Result], out: Path | None, as_json: bool) -> None:
    import json

    from rich.console import Console

    from mien.cli.diagnose_tables import show_folder
    from mien.engine.diagnose.distribution import distribution

    found = distribution(target, results)
    if as_json:
        table = {**found.to_dict(), "results": [each.to_dict() for each in results]}
        click.echo(json.dumps(table, indent=2, ensure_ascii=False))
        return
    show_folder(found, results, Console())
    where = f"; all in {out}" if out else "; -o FOLDER writes a picture and the smallest parts"
    click.echo(f"{found.builds} of {found.models} models build for {target}{where}")

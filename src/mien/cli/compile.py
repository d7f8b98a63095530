"""`mien compile`: a model becomes an engine for this machine, proven as good."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mien.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mien.engine.compile import Compiled

EPILOG = """\b
Examples:
  mien compile model.onnx -o model.engine
  mien compile model.onnx --precision int8 --data samples.npz -o model.engine
  mien compile vocoder.onnx --precision int8 --data latents.npz --budget log-mel=1.0 --rate-hz 22050
  mien compile model.onnx --precision int8 --data random:64,frames=96    # to try things
  mien compile model.onnx --target tensorrt-rtx:sm89 --shape frames=1:64:512
  mien compile model.onnx --target openvino --precision int8 --data samples.npz
  mien compile face.tflite -o face.engine
  mien compile package.module:factory -o model.engine    # PyTorch; see docs/engine-reference.md

samples.npz has an entry for each input, (samples, ...), or NAME@0, NAME@1, ... for samples of different
shapes. Each fifth sample is held out: the engine is judged by those. Without -o the engine goes into the
cache (see `mien engines`)."""


@click.command(epilog=EPILOG)
@click.argument("model", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder of the engine: model.engine.")
@click.option(
    "--target",
    default="cpu",
    show_default=True,
    help="cpu, openvino, tensorrt-rtx, tensorrt-rtx:sm89, tensorrt.",
)
@click.option("--precision", default="fp32", show_default=True, help="fp32, fp16, int8; w8: weights only.")
@click.option("--data", metavar="FILE.npz", help="Samples, or random:COUNT[,AXIS=SIZE...].")
@click.option("--budget", metavar="METRIC=LIMIT", help="Keep nodes in fp32 until it holds: rel-error=0.01.")
@click.option("--keep", multiple=True, metavar="PATTERN", help="Nodes that stay fp32: '/dec/conv_post*'.")
@click.option("--calibration", default="auto", show_default=True, help="minmax, percentile, entropy or auto.")
@click.option("--rate-hz", type=click.IntRange(1), help="Rate of outputs that are sound: for log-mel.")
@click.option("--shape", "shapes", multiple=True, metavar="AXIS=MIN:USUAL:MAX", help="Sizes of a free axis.")
@click.option("--allow-slower", is_flag=True, help="Also write an fp16 engine that is slower here.")
@click.option("--trusted", is_flag=True, help="Do not validate MODEL in a child process first.")
@click.option("--force", is_flag=True, help="Compile again what is there already.")
def command(
    model: Path,
    out: Path | None,
    target: str,
    precision: str,
    data: str | None,
    budget: str | None,
    keep: tuple[str, ...],
    calibration: str,
    rate_hz: int | None,
    shapes: tuple[str, ...],
    allow_slower: bool,
    trusted: bool,
    force: bool,
) -> None:
    """Compile MODEL (ONNX, TFLite, PyTorch) into an engine: passes, precision, calibration, each checked."""
    from mien.engine.compile import compile_model
    from mien.engine.request import Request

    request = Request(
        model,
        out,
        target,
        precision,
        data,
        budget,
        keep,
        calibration,
        rate_hz,
        allow_slower,
        force,
        shapes,
        trusted,
        command=("mien", *sys.argv[1:]),
    )
    with progress(quiet=False) as tell:
        made = compile_model(request, tell)
    _show(made)


def _show(made: Compiled) -> None:
    from rich.console import Console

    from mien.cli.engine_tables import check_table, trials_table
    from mien.engine.describe import summed

    found, console = made.manifest, Console()
    for note in made.notes:
        click.echo(note)
    click.echo(
        f"in the file: {summed(found.precision)}; {found.backend['name']} runs {summed(found.executed)}"
    )
    for name, reason in found.kept.items():
        click.echo(f"fp32: {name} ({reason})")
    if found.check:
        console.print(check_table(found.check["outputs"], found.check["samples"]))
    if found.trials:
        console.print(trials_table(found))
    if found.plan:
        click.echo(_built(found.plan))
    how = "is there already" if made.was_there else "made"
    click.echo(f"{how} {made.folder}; compare: mien compare {made.folder} --against {found.source['path']}")


def _built(plan: Mapping[str, Any]) -> str:
    """Say what was built ahead of time, and where it runs."""
    size, seconds = plan["bytes"] / 1e6, plan["seconds"]
    capabilities = ", ".join(plan.get("compute_capabilities", ()))
    where = (
        f"compute capability {capabilities}"
        if capabilities
        else ", ".join(plan.get("devices", ["the GPU of this machine"]))
    )
    return f"{plan['file']}: {size:.1f} MB for {where}, built in {seconds:.1f} s"

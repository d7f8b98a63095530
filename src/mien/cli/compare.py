"""`mien compare`: how far an engine is from its model."""

from __future__ import annotations

from pathlib import Path

import click

from mien.cli.progress import progress

EPILOG = """\b
Examples:
  mien compare model.engine --against model.onnx --data samples.npz
  mien compare a.onnx --against b.onnx --data random:16,frames=96
  mien compare model.engine --against model.onnx --data samples.npz --limit rel-error=0.01   # exit code 1"""


@click.command(epilog=EPILOG)
@click.argument("engine", type=click.Path(path_type=Path))
@click.option("--against", required=True, type=click.Path(path_type=Path), help="The reference.")
@click.option("--data", required=True, metavar="FILE.npz", help="Samples, or random:COUNT[,AXIS=SIZE...].")
@click.option("--rate-hz", type=click.IntRange(1), help="Rate of outputs that are sound: adds log-mel.")
@click.option("--limit", multiple=True, metavar="METRIC=LIMIT", help="Fail when it does not hold.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    engine: Path, against: Path, data: str, rate_hz: int | None, limit: tuple[str, ...], as_json: bool
) -> None:
    """Compare the outputs of ENGINE (a folder or an ONNX file) with a reference's."""
    from mien.engine import package
    from mien.engine.compare import compare, default_metrics
    from mien.engine.samples import find
    from mien.engine.search import Budget

    limits = [Budget.parse(text, rate_hz) for text in limit]
    reference, other = package.load(against), package.load(engine)
    samples = find(data, reference.inputs)
    with progress(quiet=False) as tell:
        found = compare(reference, other, samples, default_metrics(rate_hz), rate_hz=rate_hz, tell=tell)
    if as_json:
        import json

        click.echo(json.dumps({"samples": found.samples, "outputs": found.to_json()}, indent=2))
    else:
        from rich.console import Console

        from mien.cli.engine_tables import check_table

        Console().print(check_table(found.outputs, found.samples))
    broken = [each for each in limits if not each.holds(found.worst(each.metric))]
    for each in broken:
        reached = found.worst(each.metric)
        click.echo(f"mien: {each.metric} is {reached:.4g}; the limit is {each.limit:g}", err=True)
    if broken:
        raise SystemExit(1)
    if not as_json:
        worst = found.worst("rel-error")
        click.echo(f"compared {found.samples} samples; the tightest limit that holds: rel-error={worst:.4g}")

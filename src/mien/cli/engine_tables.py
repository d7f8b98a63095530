"""Tables that several commands show of engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from mien.engine.manifest import Manifest


def check_table(outputs: Mapping[str, Mapping[str, float | str]], samples: int) -> Table:
    """Return each output's distance from the reference in every metric."""
    from mien.engine.metrics import metric

    names = list(dict.fromkeys(name for row in outputs.values() for name in row))
    units = {name: metric(name, rate_hz=1).unit for name in names}
    heads = [f"{name} {units[name]}".strip() for name in names]
    table = Table(f"output ({samples} samples)", *heads, box=None)
    for output, row in outputs.items():
        table.add_row(output, *(f"{float(row[name]):.4g}" if name in row else "" for name in names))
    return table


def trials_table(manifest: Manifest) -> Table:
    """Return the plans that were measured: time, size, error; `*` is on the Pareto front."""
    from mien.engine.metrics import higher_is_better
    from mien.engine.pareto import Trial, front

    trials = [Trial.from_json(trial) for trial in manifest.trials]
    metric = (manifest.budget or "rel-error").partition("=")[0]
    best = front(trials, higher_is_better=higher_is_better(metric))
    table = Table("plan", "best ms", "MB", metric, "", box=None)
    for trial in trials:
        mark = ("*" if trial in best else "") + (" chosen" if trial.chosen else "")
        table.add_row(
            trial.name, f"{trial.ms:.1f}", f"{trial.size_bytes / 1e6:.2f}", f"{trial.value:.4g}", mark
        )
    return table

"""Tables of `mien bench model`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from mien.atomic import write_bytes
from mien.bench import curve
from mien.bench.batches import ENGINE, Batches
from mien.bench.changing import Stability
from mien.bench.figures import machine
from mien.bench.model import Result
from mien.errors import InputError


def show(result: Result) -> None:
    """Print all tables, remarks and what came out."""
    console = Console()
    for table in result.tables:
        console.print(_batches(table))
    if result.stability:
        console.print(_stability(result.stability))
    for note in result.notes:
        console.print(f"note: {note}", markup=False, highlight=False)
    last = result.tables[-1]
    best = max(last.rows, key=lambda row: row.per_s())
    console.print(
        f"knee at batches of {last.knee}; most a second: {best.per_s():.4g} in batches of {best.batch}",
        highlight=False,
    )


def write(result: Result, out: Path) -> None:
    """Write the last table as a picture, or all as JSON; raises `InputError` for another ending."""
    if out.suffix == ".png":
        curve.draw(result.tables[-1], out)
    elif out.suffix == ".json":
        whole = {
            "machine": machine(),
            "tables": [table.to_json() for table in result.tables],
            "stability": [asdict(each) for each in result.stability],
            "notes": result.notes,
        }
        write_bytes(out, (json.dumps(whole, indent=2, ensure_ascii=False) + "\n").encode())
    else:
        raise InputError(f"can not write {out}: end its name in .png or .json")


def _batches(found: Batches) -> Table:
    threads = f", {found.threads} threads" if found.threads else ""
    table = Table("batch", "p50 ms", "p95 ms", "a second", title=f"Batches{threads}", box=None)
    others = list(dict.fromkeys(name for row in found.rows for name in row.times if name != ENGINE))
    for name in others:
        table.add_column(f"{name} p50 ms")
        table.add_column("times as fast")
    for row in found.rows:
        mine = row.times[ENGINE]
        cells = [f"{mine.p50_ms:.2f}", f"{mine.p95_ms:.2f}", f"{row.per_s():.4g}"]
        for name in others:
            there = name in row.times
            cells += [f"{row.times[name].p50_ms:.2f}", f"{row.speed_up(name):.2f}"] if there else ["-", "-"]
        mark = " ◂ knee" if row.batch == found.knee else ""
        table.add_row(f"{row.batch}{mark}", *cells)
    return table


def _stability(rows: list[Stability]) -> Table:
    table = Table(
        "runtime", "sizes", "steady ms", "worst stall ms", "failures", "recompiles", "graph breaks",
        title="Changing sizes", box=None,
    )  # fmt: skip
    for row in rows:
        counted = ["-" if value is None else str(value) for value in (row.recompiles, row.breaks)]
        times = f"{row.steady_ms:.2f}", f"{row.worst_stall_ms:.2f}"
        table.add_row(row.name, str(row.sizes), *times, str(row.failures), *counted)
    return table

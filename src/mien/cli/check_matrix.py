"""Models on machines, as a table."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mien.check.matrix import Cell, Matrix

MARKS: Final = {
    "runs": ("✅", "green"),
    "builds": ("✅", "green"),
    "listed": ("✅", "green"),
    "partly": ("⚠️ ", "yellow"),
    "refused": ("❌", "bold red"),
    "unknown": ("– ", "dim"),
}
_SIGNS: Final = {"run": "●", "vendor": "○", "inferred": "◌", "": " "}


def show(matrix: Matrix, console: Console) -> None:
    """Print one model with every backend, or several with the best backend of each target."""
    if len(matrix.models) == 1:
        _one(matrix, console)
    else:
        _many(matrix, console)
    console.print("● run here  ○ a vendor's table  ◌ inferred from a run here or from a table", style="dim")


def _one(matrix: Matrix, console: Console) -> None:
    table = Table("target", "backend", "", "", "verdict", "nodes", "sizes", "", box=None, pad_edge=False)
    last = ""
    for cell in matrix.cells:
        name = cell.target if cell.target != last else ""
        mark, style = MARKS[cell.verdict]
        sizes = f"{cell.ran}/{cell.corners}" if cell.corners else ""
        row = (
            _SIGNS[cell.how],
            mark,
            Text(cell.verdict, style),
            _share(cell),
            sizes,
            Text(cell.detail, "dim"),
        )
        table.add_row(name, cell.backend, *row)
        last = cell.target
    console.print(table)


def _many(matrix: Matrix, console: Console) -> None:
    table = Table("target", *matrix.models, "load", box=None, pad_edge=False)
    for target in matrix.targets:
        cells = [matrix.best(model, target) for model in matrix.models]
        told = [Text(f"{MARKS[c.verdict][0]}{_SIGNS[c.how]} {_share(c)}", MARKS[c.verdict][1]) for c in cells]
        table.add_row(target, *told, f"{matrix.rate(target):.0%}")
    console.print(table)


def _share(cell: Cell) -> str:
    return "" if cell.share is None else f"{cell.share:.0%}" if cell.share == 1 else f"{cell.share:.1%}"

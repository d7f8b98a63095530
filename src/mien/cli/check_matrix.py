"""Models on machines, as a table."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mien.check.matrix import Matrix, told

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
    """Print one model with details, or several; of these also the rate of each backend that loads."""
    if len(matrix.models) == 1:
        _one(matrix, console)
    else:
        _many(matrix, console)
    console.print("● run here  ○ a vendor's table  ◌ inferred from a run here or from a table", style="dim")


def _one(matrix: Matrix, console: Console) -> None:
    for target, backend, (cell,) in matrix.lanes():
        if backend == next(c.backend for c in matrix.cells if c.target == target):
            console.print(Text(target, "bold"))
        mark, style = MARKS[cell.verdict]
        sizes = f"{cell.ran}/{cell.corners} sizes" if cell.corners else ""
        line = Text(f"  {mark}{_SIGNS[cell.how]} ")
        line.append(f"{cell.verdict:<8}", style)
        line.append(f"{cell.shown:>6}  {sizes:<11}{backend}")
        console.print(line)
        if cell.detail:
            console.print(Padding(Text(cell.detail, "dim"), (0, 0, 0, 33)))


def _many(matrix: Matrix, console: Console) -> None:
    table = Table("target", "backend", *matrix.models, "load", box=None, pad_edge=False)
    last = ""
    for target, backend, cells in matrix.lanes():
        marks = [Text(f"{MARKS[c.verdict][0]}{_SIGNS[c.how]} {c.shown}", MARKS[c.verdict][1]) for c in cells]
        table.add_row(target if target != last else "", backend, *marks, told(cells))
        last = target
    console.print(table)

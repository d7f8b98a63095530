"""Models on machines, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from mien.check.matrix import Cell, Matrix, told

MARKS: Final = {
    "runs": ("✅", "green"),
    "builds": ("✅", "green"),
    "listed": ("✅", "green"),
    "partly": ("⚠️ ", "yellow"),
    "refused": ("❌", "bold red"),
    "unknown": ("– ", "dim"),
}
_NAMED: Final = 3  # models of a verdict are named up to so many, more are counted
_SIGNS: Final = {"run": "●", "vendor": "○", "inferred": "◌", "": " "}


def show(matrix: Matrix, console: Console) -> None:
    """Print one model with details, or several: the rate of each target and of each of its backends."""
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
    number, lanes = len(matrix.models), matrix.lanes()
    console.print("load success rate: the share of models that one backend takes whole, at all sizes tried")
    for target in matrix.targets:
        line = Text(target, "bold")
        line.append(f"  {matrix.rate(target):.0%}, {matrix.loaded(target)} of {number} models", "")
        console.print(line)
        for _, backend, cells in (lane for lane in lanes if lane[0] == target):
            sign = next((_SIGNS[cell.how] for cell in cells if cell.how), " ")
            console.print(Text(f"  {sign} {told(cells) or '?':>4}  {backend}"))
            console.print(Padding(Text(_by_verdict(cells), "dim"), (0, 0, 0, 10)))
    for model in matrix.models:
        cells = [cell for cell in matrix.cells if cell.model == model]
        if all(cell.verdict == "refused" for cell in cells):
            console.print(Text(f"{model} loads nowhere: {cells[0].detail}", MARKS["refused"][1]))


def _by_verdict(cells: Sequence[Cell]) -> str:
    """Return how many models have each verdict, and the names of those that do not work."""
    parts = []
    for verdict in MARKS:
        names = [cell.model for cell in cells if cell.verdict == verdict]
        if names:
            works = verdict in ("runs", "builds", "listed")
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            told_of = "" if works else f" ({', '.join(names[:_NAMED])}{more})"
            parts.append(f"{len(names)} {verdict}{told_of}")
    return ", ".join(parts)

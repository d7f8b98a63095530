"""The report of `mien diagnose` for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mien.engine.diagnose.cause import Diagnosis, Result
from mien.engine.diagnose.distribution import Distribution

_BAR = 24  # characters


def show(result: Result, console: Console) -> None:
    """Print each diagnosis with its evidence, its smallest part and its remedy."""
    for each in result.diagnoses:
        console.print(_diagnosis(each))
    for note in result.notes:
        console.print(Text(note))


def advice(result: Result, out: Path | None) -> str:
    """Return the last line: the verdict, and what to do next."""
    if result.builds:
        return f"{result.path} builds for {result.target}; next: mien compile {result.path}"
    causes = ", ".join(dict.fromkeys(each.cause for each in result.diagnoses))
    parts = any(each.part is not None for each in result.diagnoses)
    where = f"; the smallest parts are in {out}" if out else "; -o FOLDER writes the smallest part"
    return f"mien: {result.path} does not build for {result.target}: {causes}{where if parts else ''}"


def show_folder(found: Distribution, results: Sequence[Result], console: Console) -> None:
    """Print the distribution, then a line for each model that does not build."""
    show_causes(found, console)
    for each in results:
        if not each.builds:
            first = each.diagnoses[0]
            at = f" at {first.operator} {first.node}".rstrip() if first.operator else ""
            console.print(Text.assemble((str(each.path), "bold"), f": {first.cause}{at}: {first.remedy}"))


def show_causes(found: Distribution, console: Console) -> None:
    """Print how many models each root cause keeps from the target."""
    table = Table("root cause", "models", "share", "", "where", box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:3]:
        column.justify = "right"
    for row in found.rows:
        bar = "█" * max(1, round(_BAR * row.share))
        where = ", ".join(f"{name} {count}" for name, count in row.operators)
        table.add_row(str(row.cause), f"{row.models:,}", f"{row.share:.0%}", Text(bar, "red"), Text(where))
    if found.rows:
        console.print(table, "", sep="\n")


def _diagnosis(found: Diagnosis) -> Text:
    at = f" at {found.operator} {found.node}".rstrip() if found.operator or found.node else ""
    text = Text.assemble((str(found.cause), "bold red"), at)
    text.append(f"\n  said: {found.evidence} ({found.code})")
    if found.part is not None:
        text.append(f"\n  smallest part that fails alike: {found.part_nodes} of {found.whole_nodes} nodes")
        text.append(f": {', '.join(dict.fromkeys(node.op_type for node in found.part.graph.node))}")
    return text.append(f"\n  to do: {found.remedy}")

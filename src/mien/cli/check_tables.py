"""What `mien check` found, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mien.check.result import Finding, Status, count

_MARKS: Final = {Status.OK: "✅", Status.WARNING: "⚠️ ", Status.FAILED: "❌", Status.NOT_RUN: "– "}
_STYLES: Final = {Status.OK: "", Status.WARNING: "yellow", Status.FAILED: "bold red", Status.NOT_RUN: "dim"}


def show(findings: Sequence[Finding], console: Console, *, verbose: bool) -> None:
    """Print the findings by group: what was found, what was tried, and what to do."""
    for group in dict.fromkeys(finding.group for finding in findings):
        console.print(Text(group, "bold"))
        table = Table.grid(padding=(0, 1))
        table.add_column(width=2)
        table.add_column(min_width=19)
        table.add_column()
        for finding in findings:
            if finding.group == group:
                table.add_row(_MARKS[finding.status], finding.name, _told(finding, verbose=verbose))
        console.print(table)


def _told(finding: Finding, *, verbose: bool) -> Text:
    text = Text(finding.line, _STYLES[finding.status], overflow="fold")
    evidence = finding.evidence
    if finding.tried != Status.NOT_RUN:
        text.append(f"  · {finding.tried}", "dim")
    elif not verbose:  # a machine that is not here: its group says so, and a claim's address is long
        evidence = evidence.partition("\n")[0]
    if evidence and (verbose or finding.status in (Status.WARNING, Status.FAILED)):
        text.append(f"\n{evidence}", "dim")
    if finding.remedy:
        text.append(f"\n→ {finding.remedy}", "" if finding.status is Status.NOT_RUN else "cyan")
    if verbose and finding.seconds:
        text.append(f"\n{finding.seconds:.2f} s", "dim")
    return text


def last_line(findings: Sequence[Finding], seconds: float, ready: str = "") -> str:
    """Return what it comes to, and what to do next; `ready`: when nothing is to be mended."""
    seen = count(findings)
    parts = [f"{number} {_plural(status, number)}" for status, number in seen.items() if number]
    first = next((f for f in findings if f.status is Status.FAILED), None) or next(
        (f for f in findings if f.status is Status.WARNING and f.remedy), None
    )
    hint = (first.remedy.split("  #")[0] or first.line) if first is not None else ""
    counted = f"{', '.join(parts)} in {seconds:.1f} s"
    return "; ".join(filter(None, (counted, f"first: {hint}" if hint else ready)))


def _plural(status: Status, number: int) -> str:
    return "warnings" if status is Status.WARNING and number > 1 else str(status)

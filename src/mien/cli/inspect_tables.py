"""The report of `mien inspect` for people."""

from __future__ import annotations

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from mien.engine.inspect.dryrun import DryRun
from mien.engine.inspect.report import Report
from mien.engine.inspect.summary import Summary
from mien.engine.passes import Record, Status
from mien.engine.validate import Finding, errors

_OPERATORS = 16  # shown by name
_COLOURS = {Status.KEPT: "green", Status.DROPPED: "yellow", Status.REFUSED: "yellow"}


def show(report: Report, console: Console) -> None:
    """Print everything that is known of a file."""
    if report.summary:
        console.print(_facts(report, report.summary), "", sep="\n")
    for finding in report.findings:
        console.print(_finding(finding))
    if report.dry_run:
        console.print(_passes(report.dry_run), "", sep="\n")


def advice(report: Report) -> str:
    """Return the last line: the verdict, and what to do next."""
    wrong = errors(report.findings)
    if wrong:
        codes = ", ".join(dict.fromkeys(finding.code for finding in wrong))
        count = f"{len(wrong)} error{'s' * (len(wrong) != 1)}"
        return f"mien: {report.path} must not be run: {count} ({codes})"
    kept = [r for r in report.dry_run.records if r.status is Status.KEPT] if report.dry_run else []
    if kept:
        names = ", ".join(dict.fromkeys(record.name for record in kept))
        return f"{report.path} is sound; passes that apply and keep its results: {names}"
    return f"{report.path} is sound"


def _facts(report: Report, summary: Summary) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    sets = ", ".join(f"{domain} {version}" for domain, version in summary.opsets.items())
    rows = [
        ("file", f"{report.path}, {_size(report.file_bytes)}"),
        ("format", f"IR {summary.ir_version}; operator sets: {sets}"),
        ("made by", summary.producer or "not stated"),
        ("inputs", "\n".join(map(str, summary.inputs)) or "none"),
        ("outputs", "\n".join(map(str, summary.outputs)) or "none"),
        ("free sizes", "\n".join(f"{n}: {', '.join(w)}" for n, w in summary.free.items()) or "none"),
        ("parameters", f"{summary.parameters:,}"),
        ("weights", "\n".join(_weights(summary)) or "none"),
        ("operators", _operators(summary)),
        ("precision", "\n".join(summary.precision)),
    ]
    for name, text in rows:
        table.add_row(name, Text(text))
    return table


def _weights(summary: Summary) -> list[str]:
    return [f"{kind}: {_size(of.bytes)} in {of.tensors:,} tensors" for kind, of in summary.weights.items()]


def _size(count: int) -> str:
    """Return bytes for people: `63.2 MB`."""
    for power, unit in ((9, "GB"), (6, "MB"), (3, "kB")):
        if count >= 10**power:
            return f"{count / 10**power:,.1f} {unit}"
    return f"{count} bytes"


def _operators(summary: Summary) -> str:
    named = [f"{name} {count:,}" for name, count in list(summary.operators.items())[:_OPERATORS]]
    more = len(summary.operators) - len(named)
    return f"{summary.nodes:,} nodes: {', '.join(named)}" + (f" and {more} more kinds" if more else "")


def _finding(finding: Finding) -> Text:
    colour = "red" if finding.severity == "error" else "yellow"
    at = f" at {finding.node}" if finding.node else ""
    text = Text.assemble((f"{finding.severity} ", f"bold {colour}"), (finding.code, "bold"), at)
    return text.append(f"\n  {finding.message}\n  to do: {finding.remedy}")


def _passes(dry: DryRun) -> Group:
    how = (
        f"not checked: {dry.unchecked}"
        if dry.unchecked
        else f"checked on {dry.data or 'made-up inputs'}, nothing is written"
    )
    table = Table("pass", "result", "nodes", "error", "what", box=None, header_style="bold", pad_edge=False)
    title = Text(f"What the passes would do ({how})", style="bold")
    table.columns[3].justify = "right"
    for record in dry.records:
        if record.status is not Status.IDLE or record.note != str(Status.IDLE):
            table.add_row(*_row(record))
    idle = dict.fromkeys(r.name for r in dry.records if r.note == str(Status.IDLE))
    told = Text(f"nothing to do: {', '.join(idle)}" if idle else "")
    return Group(title, table, told) if table.row_count else Group(title, told)


def _row(record: Record) -> list[Text]:
    change = record.nodes_after - record.nodes_before
    error = "" if record.error is None or record.reason else f"{record.error:.1g}"
    return [
        Text(record.name),
        Text(str(record.status), _COLOURS.get(record.status, "")),
        Text(f"{record.nodes_before:,} {change:+,}" if change else f"{record.nodes_before:,}"),
        Text(error),
        Text("; ".join(part for part in (record.note, record.reason) if part)),
    ]

"""The report of `mien avatar check` for people."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mien.avatar.foreign.report import WORDS, Report

_COLOURS = {"own": "green", "visemes": "yellow", "instead": "yellow", "none": "red"}


def show(report: Report, console: Console) -> None:
    """Print everything that is known of a head."""
    console.print(_facts(report), "", sep="\n")
    lacking = {name: kind for name, kind in report.arkit.items() if kind != "own"}
    if not lacking:
        return
    table = Table("ARKit target", "mien takes", "of", box=None, header_style="bold", pad_edge=False)
    for name, kind in lacking.items():
        table.add_row(name, Text(WORDS[kind], _COLOURS[kind]), Text(report.how.get(name, "")))
    console.print(table, "", sep="\n")


def advice(report: Report) -> str:
    """Return the last line: the verdict, and what to do next."""
    if report.verdict == "unusable":
        return f"mien: {report.path} can not be worn: {report.advice}"
    unsure = "" if report.licence_known else "; find out whether you may use it"
    trial = f'try: mien say --avatar {report.path} "Hello." -o hello.mp4'
    return f"{report.path} is {report.verdict}: {report.advice}{unsure}; {trial}"


def _facts(report: Report) -> Table:
    kinds = Counter(report.arkit.values())
    told = ", ".join(
        f"{kinds[kind]} {words}" for kind, words in WORDS.items() if kinds[kind] and kind != "own"
    )
    size = f"{report.file_bytes / 1e6:,.1f} MB, {report.vertices:,} vertices, {report.triangles:,} triangles"
    rows = [
        ("file", f"{report.path}, {size}, {report.pictures} pictures"),
        ("format", f"{report.kind}, made by {report.made_by or 'an unknown program'}"),
        ("licence", report.licence),
        ("ARKit", f"{kinds['own']} of {len(report.arkit)} targets" + (f"; {told}" if told else "")),
        ("Oculus visemes", _listed(report.oculus, report.oculus_missing)),
        ("VRM expressions", _listed(report.vrm, report.vrm_missing)),
        ("eyes", f"found by {report.eyes}" if report.eyes else "not found"),
        ("head bone", report.head or "none: all above the shoulders turns"),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, text in rows:
        table.add_row(name, Text(text))
    return table


def _listed(there: tuple[str, ...], missing: tuple[str, ...]) -> str:
    if not there:
        return "none"
    lacks = f"; missing: {', '.join(missing)}" if missing else ""
    return f"{len(there)} of {len(there) + len(missing)}{lacks}"

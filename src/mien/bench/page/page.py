"""The whole report: what stands on top, a section for each bench, how to read it."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files as resources
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import Element

from mien.atomic import write_bytes
from mien.bench.page import bars, distribution, lines, tables
from mien.bench.page.elements import Child, el, written
from mien.bench.page.frame import NARROW, WIDE
from mien.bench.page.scale import number
from mien.bench.timed.benches import BENCHES
from mien.bench.timed.files import Report
from mien.bench.timed.plots import Curves, Front, Grid, Shares, Waterfall
from mien.bench.timed.result import Result

_DRAW: Final[dict[type, Callable[[Any, float], Element]]] = {
    Waterfall: bars.waterfall, Shares: bars.shares, Grid: bars.grid, Curves: lines.curves, Front: lines.front,
}  # fmt: skip
# (bench, series) → what it is called on top
_TOP: Final = {
    ("live", "last voiced sample to first sound"): "from your last word to the answer's first sound",
    ("say", "a stream of joe: first audible sample"): "until a text can be heard",
    ("startup", "first sound, new process"): "from starting Python to the first sound",
    ("render", "1280x720, 2 threads"): "to draw a picture of 1280x720",
    ("transport", "WebSocket, first face frame"): "from connecting to the first frame of the face",
    ("chain", "a picture, from copy to points"): "to find 468 points in a 1080p picture",
}
_READ: Final = (
    "A plot of samples has every sample as a dot, their density as a shape, the median as a line with its "
    "95 % interval as a bar, p95 and p99 as dashed lines, and as rings the samples that warmed up, which no "
    "figure counts. Intervals are by a circular block bootstrap of 1,000 draws: slow moments come in a row. "
    "p95 is told from 20 samples on, p99 from 100. Compare runs: mien bench compare old.json new.json."
)


def write(report: Report, path: Path) -> None:
    """Write a report as one page of HTML; raises `ResourceError`."""
    write_bytes(path, ("<!doctype html>\n" + written(page(report)) + "\n").encode())


def page(report: Report) -> Element:
    """Return the page."""
    style = (resources("mien.bench.page") / "style.css").read_text("utf-8")
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", f"mien on {report.environment.get('processor', 'this machine')}"),
        el("style", style),
    )
    sections = [*(_section(each) for each in report.results), *(_matrix(each) for each in report.grids)]
    body = el("body", _top(report), el("main", *sections), _end(report))
    return el("html", head, body, lang="en")


def _top(report: Report) -> Element:
    machine = report.environment
    about = f"{machine.get('processor', '')}, {machine.get('cores', '?')} cores, {machine.get('memory', '')}"
    links = [el("li", el("a", BENCHES[each.bench].title, href=f"#{each.bench}")) for each in report.results]
    return el(
        "header",
        el("h1", "What this machine reaches"),
        el("p", f"{about.strip(', ')} · {machine.get('system', '')} · {_when(report.made)}", class_="soft"),
        el("code", report.command, class_="command"),
        _verdict(report),
        el("ul", *_cards(report), class_="cards"),
        el("nav", el("ul", *links), aria_label="Benches"),
        class_="top",
    )


def _when(made: str) -> str:
    return f"{made[:16].replace('T', ', ')} UTC"


def _verdict(report: Report) -> Element:
    took = f"It took {report.took_s / 60:.1f} of {report.asked_s / 60:.1f} minutes."
    loud = report.disturbed
    if not loud:
        return el("p", f"The machine was quiet. {took}", class_="verdict")
    which = ", ".join(loud) if len(loud) < len(report.results) else "everything"
    told = f"The machine was not quiet during: {which}. Read these times as ratios. {took}"
    return el("p", told, class_="verdict noisy")


def _cards(report: Report) -> list[Element]:
    made = []
    for result in report.results:
        for each in result.series:
            if (name := _TOP.get((result.bench, each.name))) is not None:
                median = each.percentiles()[50].value
                made.append(el("li", el("b", number(median), el("small", f" {each.unit}")), el("span", name)))
    return made


def _section(result: Result) -> Element:
    head = el("header", el("h2", result.title), el("code", result.command, class_="command"))
    parts: list[Child] = [head]
    for group, each in groupby(result.series, key=lambda series: series.group):
        series = list(each)
        drawn = [distribution.draw(group, series, width) for width in (WIDE, NARROW)]
        parts.append(_pair(group or result.title, drawn, tables.series(series)))
    for plot in result.plots:
        parts.append(
            _pair(plot.title, [_DRAW[type(plot)](plot, width) for width in (WIDE, NARROW)], tables.of(plot))
        )
    if (known := tables.facts(result)) is not None:
        parts += [el("h3", "Also"), known]
    parts.append(el("ul", *(el("li", note) for note in _remarks(result)), class_="notes"))
    return el("section", *parts, id=result.bench)


def _matrix(grid: Grid) -> Element:
    """Return a heat map over the whole width; what each square says is in its tooltip and in the table."""
    wide, narrow = (
        el("div", bars.grid(grid, w), class_=c) for w, c in ((2 * WIDE, "wide"), (NARROW, "narrow"))
    )
    told = "✓ run or built here · ○ by a table, or inferred · ! in part · ✗ refused · a dot: not known"
    table = el("details", el("summary", "As a table"), tables.of(grid))
    return el(
        "section",
        el("h2", grid.title),
        el("p", told, class_="soft"),
        el("figure", wide, narrow),
        table,
        id="matrix",
    )


def _pair(title: str, drawn: list[Element], table: Element) -> Element:
    wide, narrow = (
        el("div", each, class_=kind) for each, kind in zip(drawn, ("wide", "narrow"), strict=True)
    )
    return el(
        "div",
        el("figure", el("figcaption", title), wide, narrow),
        el("div", table, class_="tables"),
        class_="pair",
    )


def _remarks(result: Result) -> list[str]:
    count = sum(len(each.samples) for each in result.series)
    took = f"{count} samples in {result.took_s:.1f} s of {result.asked_s:g} s"
    took += "" if result.complete else "; it was broken off"
    noise = result.noise
    quiet = (
        "the machine was quiet"
        if noise.is_quiet
        else f"the machine was not quiet: {'; '.join(noise.reasons)}"
    )
    loop = f"a fixed loop took {noise.loop_before_ms:.2f} ms before and {noise.loop_after_ms:.2f} ms after"
    return [*result.notes, f"{took}; {quiet} ({loop})"]


def _end(report: Report) -> Element:
    left = [el("li", f"{name}: {why}") for name, why in report.left_out]
    rows = [(name, value) for name, value in report.environment.items()]
    return el(
        "footer",
        el("h3", "Left out") if left else None,
        el("ul", *left) if left else None,
        el("h3", "How to read it"),
        el("p", _READ),
        el("h3", "Where it was measured"),
        tables.table(("", ""), rows),
    )

"""What `mien choose` shows."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from mien.choose import Choice, Constraints
from mien.choose.stack import Stack

_OTHERS = 3


def show(found: Choice, wanted: Constraints, *, own: bool) -> None:
    """Print the best stack with its reasons, the next ones, what is out and why, and what to do next."""
    console = Console()
    for kind in found.empty:
        click.echo(f"no {kind} holds all constraints:")
    if found.stacks:
        _best(console, found.stacks[0], wanted)
        if found.whole is not None:
            click.echo(
                f"a whole conversation, measured here with joe: {found.whole.value:.0f} {found.whole.unit}"
            )
        _others(console, "It could also be", found.stacks[1 : 1 + _OTHERS])
    elif found.failing:
        click.echo("no stack holds all constraints; the nearest:")
    _others(console, "Not as a whole", found.failing[:_OTHERS])
    _excluded(console, found)
    click.echo(_next(found, own=own))


def _best(console: Console, stack: Stack, wanted: Constraints) -> None:
    table = Table("take", "what", "licence", title="The stack", box=None, title_justify="left")
    for part in stack.parts:
        table.add_row(part.kind, f"{part.title}\n  {part.take}", part.licence)
    console.print(table)
    figures = Table("figure", "value", "whence", box=None)
    for name, figure in stack.figures:
        figures.add_row(name, f"{figure.value:.4g} {figure.unit}".strip(), figure.whence)
    if stack.figures:
        console.print(figures)
    for reason in _reasons(stack, wanted):
        console.print(f"because {reason}", markup=False, highlight=False)
    for unknown in stack.unknown:
        console.print(f"not known: {unknown}", markup=False, highlight=False)


def _reasons(stack: Stack, wanted: Constraints) -> list[str]:
    made = []
    if stack.answer_ms is not None:
        made.append(
            f"an answer takes about {stack.answer_ms:.0f} ms of {wanted.answer_ms:.0f} ({stack.basis})"
        )
    if wanted.use == "talk":
        made.append(
            f"{wanted.cores} cores bear about {stack.sessions} sessions, {wanted.sessions} are wanted"
        )
    far = max((part.words_go for part in stack.parts), key=["machine", "network", "anywhere"].index)
    near = {"machine": "no word leaves the machine", "network": "words stay in your network"}
    made.append(near.get(far, "words may go to a provider"))
    if not any(part.online for part in stack.parts):
        made.append(
            "it needs no network at run time" if far == "machine" else "it needs no network but yours"
        )
    return made


def _others(console: Console, title: str, stacks: list[Stack]) -> None:
    if not stacks:
        return
    table = Table("stack", "answer ms", "sessions", "against", title=title, box=None, title_justify="left")
    for each in stacks:
        answer = "not known" if each.answer_ms is None else f"{each.answer_ms:.0f}"
        table.add_row(each.names, answer, str(each.sessions), "; ".join(each.against))
    console.print(table)


def _excluded(console: Console, found: Choice) -> None:
    if not found.excluded:
        return
    table = Table("out", "why", title="Left out", box=None, title_justify="left")
    for option, why in found.excluded:
        table.add_row(f"{option.kind}: {option.title}", "; ".join(why))
    console.print(table)


def _next(found: Choice, *, own: bool) -> str:
    if not found.stacks:
        return "loosen a constraint that is named above, and choose again"
    if not own:
        return "next: mien bench all -o report/, then --bench report/results.json: your machine decides"
    return f"chosen: {found.stacks[0].names}"


def to_json(found: Choice, wanted: Constraints) -> dict[str, Any]:
    """Return everything as plain data."""

    def stack(each: Stack) -> dict[str, Any]:
        return {
            "parts": {part.kind: part.name for part in each.parts},
            "answer_ms": each.answer_ms,
            "basis": each.basis,
            "sessions": each.sessions,
            "against": list(each.against),
            "figures": {name: asdict(figure) for name, figure in each.figures},
            "unknown": list(each.unknown),
        }

    return {
        "constraints": asdict(wanted),
        "stacks": [stack(each) for each in found.stacks],
        "failing": [stack(each) for each in found.failing],
        "excluded": {f"{option.kind}/{option.name}": why for option, why in found.excluded},
        "empty": found.empty,
    }

"""`mien persona`: make one, test what it understands, talk to it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.cli.progress import progress
from mien.errors import MissingError

if TYPE_CHECKING:
    from mien.mind import Answer, Mind, MindState
    from mien.persona import PersonaSpec

FOLDER = click.Path(path_type=Path, file_okay=False)
_EXAMPLES = """\b
Examples:
  mien persona new clinic
  mien persona test clinic
  mien persona chat bank"""


@click.group(epilog=_EXAMPLES)
def command() -> None:
    """Make a persona with a mind, test what it understands, and talk to it; mien personas lists them."""


@command.command()
@click.argument("name")
@click.option("--folder", type=FOLDER, help="Where; $MIEN_PERSONAS or here by default.")
def new(name: str, folder: Path | None) -> None:
    """Write the folder of a new persona, which runs as it is."""
    from mien.mind import scaffold

    own = scaffold.new(name, folder or Path(os.environ.get("MIEN_PERSONAS") or "."))
    for file in sorted(own.rglob("*.*")):
        click.echo(f"  {file}")
    click.echo(f"edit these, then: mien persona test {name if folder is None else own}")


@command.command()
@click.argument("name")
@click.option("--all", "everything", is_flag=True, help="Small talk and topics that are all right, too.")
def test(name: str, everything: bool) -> None:
    """Replay a persona's examples, each left out once: what is confused, and what it would answer."""
    from mien.cli.persona_tables import show
    from mien.mind.rehearsal import rehearse

    mind, _ = _load(name)
    right = show(mind.content, rehearse(mind.content, mind.understander), everything)
    click.echo(
        f"talk to it: mien persona chat {name}" if right else "reword what is too near, then test again"
    )


@command.command()
@click.argument("name")
@click.option("--language", help="The language to begin in; the persona's own by default.")
@click.option("--seed", default=0, help="Which wordings are chosen.")
def chat(name: str, language: str | None, seed: int) -> None:
    """Talk to a persona's mind in the terminal: the words and the feelings alone. Ctrl-D ends it."""
    mind, spec = _load(name, seed)
    state = mind.begin(language or spec.language)
    with asyncio.Runner() as runner:
        state = runner.run(_said(mind.welcome(state)))
        for line in _lines():
            state = runner.run(_turn(mind, line, state))
        runner.run(mind.close())


def _load(name: str, seed: int = 0) -> tuple[Mind, PersonaSpec]:
    from mien.mind import Mind
    from mien.persona import spec as specs

    spec = specs.read(name)
    if spec.mind is None:
        raise MissingError(f"{name} has no mind; make a persona with one: mien persona new NAME")
    with progress() as tell:
        return Mind.load(spec.mind, seed=seed, progress=tell), spec


def _lines() -> Iterator[str]:
    """Yield what is typed, line by line, until it ends."""
    while True:
        if sys.stdin.isatty():
            click.secho("> ", bold=True, nl=False)
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


async def _turn(mind: Mind, words: str, state: MindState) -> MindState:
    return await _said(await mind.answer(words, state))


async def _said(answer: Answer) -> MindState:
    """Write an answer as it comes; return the conversation after it."""
    feeling = None
    async for part in answer.parts():
        if part.emotion is not None and part.emotion != feeling:
            feeling = part.emotion
            click.secho(f"[{feeling.name} {feeling.strength:g}] ", dim=True, nl=False)
        click.echo(part.text, nl=False)
    click.echo()
    if answer.hand_over:
        click.secho(f"(a human takes over: {answer.hand_over})", dim=True)
    return answer.state

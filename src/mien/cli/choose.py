"""`mien choose`: which voice, recogniser, mind and renderer to take, with reasons."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mien.choose import Constraints

_EXAMPLES = """\b
Examples:
  mien choose                                        # asks a few questions
  mien choose --example > constraints.toml
  mien choose constraints.toml --bench report/results.json
  mien choose constraints.toml --json

Constraints filter; what remains is ranked by figures: this machine's from --bench, else those that were
measured elsewhere, with that machine's name."""


@click.command(epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path), required=False, metavar="[CONSTRAINTS.toml]")
@click.option("--bench", type=click.Path(path_type=Path), help="Figures of your machine: results.json.")
@click.option("--example", is_flag=True, help="Print a file of constraints, with what each means.")
@click.option("--json", "as_json", is_flag=True, help="Print all stacks and reasons as JSON.")
def command(file: Path | None, bench: Path | None, *, example: bool, as_json: bool) -> None:
    """Choose a stack for your constraints, with the reasons, the figures, and what is not known.

    The exit code is 1 when nothing holds all constraints.
    """
    from mien.choose import choose, constraints
    from mien.choose.figures import Figures

    if example:
        click.echo(constraints.example())
        return
    wanted = constraints.read(file) if file is not None else _asked()
    found = choose(wanted, Figures(bench))
    if as_json:
        import json

        from mien.cli.choose_tables import to_json

        click.echo(json.dumps(to_json(found, wanted), indent=2, ensure_ascii=False))
    else:
        from mien.cli.choose_tables import show

        show(found, wanted, own=bench is not None)
    if not found.stacks:
        raise SystemExit(1)


def _asked() -> Constraints:
    """Ask each question; raises `click.UsageError` where nobody can answer."""
    from mien.choose import Constraints, constraints
    from mien.errors import InputError

    if not sys.stdin.isatty():
        raise click.UsageError(
            "there is no terminal to ask on; write: mien choose --example > constraints.toml"
        )

    def proper(name: str) -> Any:
        usual = getattr(Constraints(), name)
        if isinstance(usual, bool):
            return click.confirm(constraints.QUESTIONS[name], default=usual)
        choices = click.Choice(constraints.VALID[name]) if name in constraints.VALID else type(usual)
        while True:
            value = click.prompt(constraints.QUESTIONS[name], default=usual, type=choices)
            try:
                return constraints.checked(name, value, "answer")
            except InputError as error:
                click.echo(str(error), err=True)

    return Constraints(**{name: proper(name) for name in constraints.QUESTIONS})

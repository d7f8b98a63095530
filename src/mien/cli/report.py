"""What `mien say` made, and where the time went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mien.persona import Said


def show(said: Said) -> None:
    """Print the report; the last line says what was made and what to do next."""
    ratio = said.took_s / said.speech_s if said.speech_s else 0.0
    parts = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in said.spent_s.items())
    click.echo(f"{said.speech_s:.1f} s of speech in {said.took_s:.1f} s ({ratio:.2f} of its length)")
    click.echo(f"where the time went (encoding runs beside the rest): {parts}")
    names = " ".join(str(file) for file in said.files)
    films = [file for file in said.files if file.suffix.lower() in {".mp4", ".webm"}]
    hint = f"; judge its lips with: mien measure {films[0]}" if films else ""
    click.echo(f"made {names}{hint}")

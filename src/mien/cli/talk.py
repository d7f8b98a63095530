"""`mien talk`: a conversation without a browser: recordings in, a film and a latency table out."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.cli.options import FPS, SIZE
from mien.cli.progress import progress

if TYPE_CHECKING:
    from mien.live.talk import Talk

_EXAMPLES = """\b
Examples:
  mien talk question.wav -o answer.mp4 --report
  mien talk hello.wav hours.wav address.wav -o talk.mp4 --persona bank --interrupt 2.5
  mien talk question.wav -o answer.wav -o answer.csv --persona bank
  mien talk question.wav -o answer.wav --json | jq '.turns[].waterfall'
  mien talk question.wav -o slow.wav --report --no-speculation     # what speculation saves"""


@click.command(epilog=_EXAMPLES)
@click.argument(
    "recordings", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option(
    "-o", "--out", multiple=True, required=True, type=click.Path(), help="File to make; can be repeated."
)
@click.option("-p", "--persona", default="ava", show_default=True, help="A persona's name, or its TOML file.")
@click.option("--language", help="ISO 639-1, or auto; by default the persona's.")
@click.option("--report", is_flag=True, help="Show where the time went in each turn.")
@click.option("--json", "as_json", is_flag=True, help="The conversation and its latencies as JSON.")
@click.option("--barge-in", default="hold", show_default=True, help="hold, words, voice or never.")
@click.option(
    "--interrupt",
    "interrupt_s",
    type=click.FloatRange(0, 60),
    metavar="SECONDS",
    help="Say the last recording so long after the answer before it began.",
)
@click.option("--speculation/--no-speculation", default=True, help="Prepare answers at a short pause.")
@click.option("--size", type=SIZE, default="512x512", show_default=True, help="Width x height of a film.")
@click.option("--fps", type=FPS, default="30", show_default=True, help="Pictures a second.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no report.")
def command(
    recordings: tuple[Path, ...],
    out: tuple[str, ...],
    persona: str,
    language: str | None,
    *,
    report: bool,
    as_json: bool,
    barge_in: str,
    interrupt_s: float | None,
    speculation: bool,
    size: tuple[int, int],
    fps: Fraction,
    quiet: bool,
) -> None:
    """Say RECORDINGS to a persona as if they were spoken now, each when the one before was answered, and film
    the conversation, with both voices and subtitles.
    """
    from mien.audio import files
    from mien.live import SessionOptions, clock, minds
    from mien.live.talk import busy, check, converse, warm, write
    from mien.persona import Film, Persona
    from mien.persona.making import output_paths
    from mien.speech.listening import Models, Speaking

    options = SessionOptions(barge_in=barge_in, speculates=speculation)
    output_paths(out)
    said, speaker = check([files.read(recording) for recording in recordings]), Persona.load(persona)
    with progress(quiet=quiet or as_json) as tell:
        tell("loading", 0.0)
        mind = minds.load(speaker)
        models = Models.load(Speaking(language or speaker.spec.language.split("-")[0]))
        try:
            warm(speaker, mind, tell)
            work = converse(said, models, speaker, mind, options, interrupt_s=interrupt_s, progress=tell)
            talk = clock.run(work, busy(models), counts_work=True)
        finally:
            models.close()
        seconds = write(talk, list(out), speaker, Film(size, fps, speaker.spec.background), tell)
    if as_json:
        click.echo(json.dumps(_table(talk), ensure_ascii=False, indent=2))
    elif not quiet:
        _show(talk, report=report)
        click.echo(
            f"made {' '.join(out)} ({seconds:.1f} s); or talk yourself: mien serve --persona {persona}"
        )


def _table(talk: Talk) -> dict[str, object]:
    rows = [
        {
            "turn": number,
            "said": turn.said,
            "answered": turn.answered,
            "cut": turn.cut,
            "failed": turn.failed,
            "waterfall": turn.waterfall.table()["ms"] if turn.waterfall is not None else None,
        }
        for number, turn in sorted(talk.turns.items())
    ]
    return {"turns": rows, "underruns": talk.underruns}


def _show(talk: Talk, *, report: bool) -> None:
    for _, turn in sorted(talk.turns.items()):
        click.echo(f"user: {turn.said}")
        click.echo(f"      {turn.failed or turn.answered}{' -- cut' if turn.cut else ''}")
        if report and turn.waterfall is not None:
            click.echo(turn.waterfall.picture())
        click.echo()
    late = [turn.waterfall.answered_s for turn in talk.turns.values() if turn.waterfall is not None]
    known = sorted(1000 * seconds for seconds in late if seconds is not None)
    if known:
        worst = known[-1]
        middle = known[len(known) // 2]
        click.echo(
            f"from the last voiced sample to the first sound: median {middle:.0f} ms, worst {worst:.0f} ms, "
            f"{len(known)} turns"
        )
    elif not talk.turns:
        click.echo("nobody said a word in this recording")

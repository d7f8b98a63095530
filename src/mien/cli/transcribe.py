"""`mien transcribe`: a recording to words, heard as if somebody spoke it now."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mien.errors import InputError

if TYPE_CHECKING:
    from mien.audio.pcm import Pcm
    from mien.speech.listening import Event, Final, Models, Options

_EXAMPLES = """\b
Examples:
  mien transcribe question.wav
  mien transcribe question.wav --live --partials      # at the pace of speech, with how long each answer took
  mien transcribe wenti.wav --language zh             # needs: mien packs pull whisper-base
  mien transcribe talk.mp3 --json | jq -r 'select(.event == "Final") | .text'
  mien transcribe talk.wav --reference talk.txt       # word error rate"""


@click.command(epilog=_EXAMPLES)
@click.argument("sound", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--language", default="en", show_default=True, help="ISO 639-1, or auto.")
@click.option("--model", default="", help="tiny.en or base; by default what the language needs.")
@click.option("--expect", multiple=True, help="A name or term that may come; can be repeated.")
@click.option("--turns", default="semantic", show_default=True, help="What ends a turn: semantic or silence.")
@click.option("--eagerness", default="auto", show_default=True, help="low, medium, high or auto.")
@click.option("--wake", multiple=True, help="Tell nothing before this word; can be repeated.")
@click.option("--live", is_flag=True, help="At the pace of speech, with latencies.")
@click.option("--partials", is_flag=True, help="Show words while they are spoken.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an event.")
@click.option("--reference", help="What is said, as text or a file: prints the error rate.")
def command(
    sound: Path,
    language: str,
    model: str,
    expect: tuple[str, ...],
    turns: str,
    eagerness: str,
    wake: tuple[str, ...],
    *,
    live: bool,
    partials: bool,
    as_json: bool,
    reference: str | None,
) -> None:
    """Write what is said in SOUND (WAV, FLAC, OGG, MP3; - is standard input), turn by turn."""
    from mien.speech.listening import Models, Options, Speaking, TurnOptions

    speaking = Speaking(language, expect, model)
    options = Options(turn=TurnOptions(turns, eagerness), wake_words=wake)
    pcm = _read(sound)
    models = Models.load(speaking)
    show = (
        _Json(pcm.rate_hz, partials=partials)
        if as_json
        else _Lines(pcm.rate_hz, live=live, partials=partials)
    )
    try:
        finals = asyncio.run(_listen(models, pcm, options, show, live=live))
    finally:
        models.close()
    if reference is not None:
        _compare(reference, finals, language, as_json=as_json)


def _read(sound: Path) -> Pcm:
    from mien.audio import files

    return files.decode(sys.stdin.buffer.read(), "standard input") if str(sound) == "-" else files.read(sound)


async def _listen(
    models: Models, pcm: Pcm, options: Options, show: _Json | _Lines, *, live: bool
) -> list[Final]:
    from mien.speech.listening import Final
    from mien.speech.listening.playback import play

    finals = []
    async for event, late_s in play(models, pcm, options, live=live):
        show(event, late_s)
        if isinstance(event, Final):
            finals.append(event)
    return finals


def _compare(reference: str, finals: list[Final], language: str, *, as_json: bool) -> None:
    from mien.speech.listening.error_rate import error_rate

    wanted = _text(Path(reference)) if Path(reference).suffix == ".txt" else reference
    heard = " ".join(final.text for final in finals)
    rate = error_rate(wanted, heard, finals[0].language if finals and language == "auto" else language)
    click.echo(json.dumps({"error_rate": round(rate, 4)}) if as_json else f"error rate: {100 * rate:.1f} %")


def _text(path: Path) -> str:
    from mien.contents import contents

    try:
        return contents(path, "reference").decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; save it as UTF-8") from None


class _Json:
    """Events as lines of JSON; samples are also given in seconds."""

    def __init__(self, rate_hz: int, *, partials: bool) -> None:
        self._rate_hz, self._partials = rate_hz, partials

    def __call__(self, event: Event, late_s: float) -> None:
        from mien.speech.listening import Final, Partial
        from mien.speech.listening.events import text

        if isinstance(event, Partial) and not self._partials:
            return
        table = {"event": type(event).__name__, "s": round(event.sample / self._rate_hz, 3)}
        if isinstance(event, Final | Partial):
            table["text"] = text(event.words)
        click.echo(json.dumps(table | dataclasses.asdict(event), ensure_ascii=False))


class _Lines:
    """A line for each turn: its time, its words, and with `live` how long after its end they were known."""

    def __init__(self, rate_hz: int, *, live: bool, partials: bool) -> None:
        self._rate_hz, self._live, self._partials = rate_hz, live, partials

    def __call__(self, event: Event, late_s: float) -> None:
        from mien.speech.listening import Dismissed, Final, Partial, Woken
        from mien.speech.listening.events import text

        if isinstance(event, Final):
            start = event.words[0].start if event.words else event.sample
            self._line(start, event.sample, event.text, f"  [{1000 * late_s:.0f} ms]" if self._live else "")
        elif isinstance(event, Partial) and self._partials:
            self._line(event.sample, event.sample, "... " + text(event.words), "")
        elif isinstance(event, Woken):
            self._line(event.sample, event.sample, f"({event.phrase})", "")
        elif isinstance(event, Dismissed) and self._partials:
            self._line(event.sample, event.sample, f"({event.reason})", "")

    def _line(self, start: int, end: int, text: str, after: str) -> None:
        click.echo(f"{start / self._rate_hz:7.2f} {end / self._rate_hz:7.2f}  {text}{after}")

"""`mien say`."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import click

from mien.cli.options import EMOTION, FPS, SIZE
from mien.cli.progress import progress
from mien.cli.stopping import run
from mien.contents import contents
from mien.errors import InputError
from mien.face.feeling import Emotion

EPILOG = """\b
Examples:
  mien say "Hello. I am your digital human." -o hello.mp4
  mien say --persona joe script.txt -o lecture.webm --size 1280x720 --fps 30
  mien say --persona xiaoxiao "你好，欢迎来到银行。请问需要办理什么业务？" -o nihao.mp4
  mien say "<speak>One<break time='1s'/>two.</speak>" -o out.mp4
  mien say --avatar greta "A head of another name." -o greta.mp4
  mien say --avatar their.vrm "A head from elsewhere." -o theirs.mp4
  mien say --audio recording.wav --text "what is said in it" -o dubbed.mp4
  mien say "Only the voice and the face" -o voice.wav -o face.csv
  mien say "Over your own page." -o over.webm --background transparent
  echo "From a pipe" | mien say - -o piped.mp4

The suffix of each --out says what it becomes: a film (.mp4, .webm), the voice (.wav, .flac, .ogg,
.mp3), or the movement of the face: .csv (Live Link Face), .json (Audio2Face), .npz (arrays),
.glb (the head with its animation). frames/ or frames/%05d.png: the film as pictures."""


@click.command(epilog=EPILOG)
@click.argument("text", required=False)
@click.option(
    "-o",
    "--out",
    multiple=True,
    required=True,
    type=click.Path(),
    help="File to make; can be given several times.",
)
@click.option("-p", "--persona", default="ava", show_default=True, help="A persona's name, or its TOML file.")
@click.option("-a", "--avatar", help="Another head: a name, or a .glb, .vrm or .toml file.")
@click.option("--size", type=SIZE, default="512x512", show_default=True, help="Width x height of a film.")
@click.option(
    "--fps",
    type=FPS,
    default="30",
    show_default=True,
    help="Pictures a second: 25, 29.97, 60, 30000/1001 ...",
)
@click.option("--background", help="studio, office, transparent, a colour (#00ff00), or a picture's file.")
@click.option(
    "--renderer",
    type=click.Choice(("auto", "software", "gl")),
    default="auto",
    show_default=True,
    help="What draws: the CPU, OpenGL, or a GPU where there is one.",
)
@click.option("--emotion", type=EMOTION, help="The mood, with its strength: happy, sad:0.4 ...")
@click.option(
    "--voice",
    type=click.Path(path_type=Path, exists=True),
    help="A Piper voice (.onnx) or a Kokoro voice vector (.bin) instead of the persona's.",
)
@click.option(
    "--audio",
    type=click.Path(path_type=Path, exists=True),
    help="A recording that is heard instead of a synthetic voice.",
)
@click.option(
    "--text", "transcript", help="What is said in --audio; without it the sound alone moves the lips."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress, no report.")
def command(
    text: str | None,
    out: tuple[str, ...],
    persona: str,
    avatar: str | None,
    size: tuple[int, int],
    fps: Fraction,
    background: str | None,
    renderer: str,
    emotion: Emotion | None,
    voice: Path | None,
    audio: Path | None,
    transcript: str | None,
    quiet: bool,
) -> None:
    """Turn TEXT into a talking person.

    TEXT is what is said: words, SSML, a text file's name, or - for standard input.
    """
    from mien.persona import Film, Persona

    spoken = _text(text, transcript, audio)
    speaker = Persona.load(persona, voice=voice, avatar=avatar)
    film = Film(size, fps, background or speaker.spec.background, renderer)
    with progress(quiet=quiet) as tell:
        if audio is None:
            work = speaker.say(spoken, to=out, film=film, emotion=emotion, progress=tell)
        else:
            work = speaker.dub(audio, spoken, to=out, film=film, emotion=emotion, progress=tell)
        said = run(work)
    if not quiet:
        from mien.cli.report import show

        show(said)


def _text(text: str | None, transcript: str | None, audio: Path | None) -> str:
    if text is not None and transcript is not None:
        raise click.UsageError("give the words once: as TEXT or with --text")
    given = text if text is not None else transcript
    if given is None:
        if audio is None:
            raise click.UsageError('nothing to say; for example: mien say "Hello." -o hello.mp4')
        return ""
    if given == "-":
        return _standard_input()
    return _file(given) if _is_file(given) else given


def _standard_input() -> str:
    if sys.stdin is None:  # closed by who started us
        raise InputError("standard input is closed; pipe the text in, or give it as TEXT")
    return _decoded(sys.stdin.buffer.read(), "standard input")


def _is_file(given: str) -> bool:
    if len(given) > 255 or "\n" in given:
        return False
    if Path(given).is_file():
        return True
    if Path(given).suffix.lower() in {".txt", ".md", ".ssml", ".xml"} and " " not in given:
        raise InputError(f"no file {given!r}; check the path, or give the words themselves")
    return False


def _file(name: str) -> str:
    return _decoded(contents(Path(name)), name)


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text (byte {error.start}); save it as UTF-8") from None

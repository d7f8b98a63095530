"""What a performance can become: a film, a sound, or the movement of a face; chosen by the file's suffix."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from mien.atomic import check, replacing
from mien.errors import InputError, nearest
from mien.face.phone import Phone
from mien.face.pose import FacePose, FaceTrack
from mien.persona.frames import Frames
from mien.persona.performance import Chunk
from mien.progress import Progress

if TYPE_CHECKING:
    from mien.audio.files import SoundWriter
    from mien.avatar import Avatar
    from mien.avatar.render import Renderer
    from mien.media import FilmWriter

FILMS = frozenset({".mp4", ".webm"})
SOUNDS = frozenset({".wav", ".flac", ".ogg", ".mp3"})
FACES = frozenset({".csv", ".json", ".npz", ".glb"})
PHONES = frozenset({".phones"})


@dataclass(frozen=True, slots=True)
class Film:
    """How a film looks. `size`: width and height in pixels; `fps`: pictures a second; `background`:
    `studio`, a colour such as `#00ff00`, or a picture's path.
    """

    size: tuple[int, int] = (512, 512)
    fps: Fraction = Fraction(30)
    background: str = "studio"


@dataclass(frozen=True, slots=True)
class Setting:
    """What an output needs to know: the head that is drawn, the sound's rate, the film, whom to tell."""

    avatar: str
    rate_hz: int
    film: Film
    progress: Progress


class Output(Protocol):
    """Takes chunks in order."""

    def write(self, chunk: Chunk) -> None:
        """Take the next chunk."""

    def spent(self) -> dict[str, float]:
        """Return the seconds of wall time that each stage took."""


def kind(path: Path) -> str:
    """Return `film`, `sound`, `face` or `phones`; raises `InputError` for another suffix."""
    suffix = path.suffix.lower()
    kinds = {"film": FILMS, "sound": SOUNDS, "face": FACES, "phones": PHONES}
    for name, suffixes in kinds.items():
        if suffix in suffixes:
            return name
    valid = frozenset().union(*kinds.values())
    raise InputError(f"can not write {path.name!r}: unknown suffix {suffix!r}{nearest(suffix, valid)}")


def open_output(path: Path, setting: Setting) -> AbstractContextManager[Output]:
    """Open `path`; on leaving without an error the finished file is put in place, else nothing is left."""
    match kind(path):
        case "film":
            return _film(path, setting)
        case "sound":
            return _sound(path, setting)
        case "face":
            return _face(path, setting)
        case _:
            return _phones(path, setting)


@contextmanager
def _film(path: Path, setting: Setting) -> Iterator[Output]:
    from mien.avatar.render import SoftwareRenderer, compiled, warm_up
    from mien.media import FilmWriter

    film = setting.film
    with FilmWriter(path, size=film.size, fps=film.fps, audio_rate_hz=setting.rate_hz) as writer:
        if not compiled():
            warm_up(lambda done, total, _: setting.progress("compiling the renderer", done / total))
        with SoftwareRenderer(_head(setting), film.size, background=film.background) as renderer:
            output = FilmOutput(writer, renderer, Frames(writer.fps))
            yield output
            output.finish()


@contextmanager
def _sound(path: Path, setting: Setting) -> Iterator[Output]:
    from mien.audio.files import SoundWriter

    with SoundWriter(path, setting.rate_hz) as writer:
        yield SoundOutput(writer)


@contextmanager
def _phones(path: Path, setting: Setting) -> Iterator[Output]:
    with replacing(path) as aside:
        output = PhonesOutput([])
        yield output
        rows = [
            {"symbol": p.symbol, "start": p.start, "end": p.end, "stress": p.stress} for p in output.phones
        ]
        data = {"rate_hz": setting.rate_hz, "phones": rows}
        aside.write_text(json.dumps(data, ensure_ascii=False), "utf-8")


@contextmanager
def _face(path: Path, setting: Setting) -> Iterator[Output]:
    check(path)
    head = _head(setting) if path.suffix.lower() == ".glb" else None
    output = FaceOutput([])
    yield output
    track = FaceTrack.join(output.tracks)
    if head is not None:
        from mien.avatar.files import glb

        glb.write(path, head, track)
    else:
        from mien.face import formats

        formats.write(path, track, fps=float(setting.film.fps))


def _head(setting: Setting) -> Avatar:
    from mien.avatar import load

    return load(setting.avatar, setting.progress)


@dataclass(slots=True)
class SoundOutput:
    """The voice alone."""

    writer: SoundWriter

    def write(self, chunk: Chunk) -> None:
        """Append the chunk's sound."""
        self.writer.write(chunk.pcm)

    def spent(self) -> dict[str, float]:
        """Return nothing: writing sound takes no time worth telling."""
        return {}


@dataclass(slots=True)
class FaceOutput:
    """The movement of the face (13 kB for each second)."""

    tracks: list[FaceTrack]

    def write(self, chunk: Chunk) -> None:
        """Keep the chunk's frames."""
        if len(chunk.face):
            self.tracks.append(chunk.face)

    def spent(self) -> dict[str, float]:
        """Return nothing: keeping frames takes no time worth telling."""
        return {}


@dataclass(slots=True)
class PhonesOutput:
    """The phonemes with their times: JSON that `mien measure --phones` reads."""

    phones: list[Phone]

    def write(self, chunk: Chunk) -> None:
        """Keep the chunk's phones."""
        self.phones.extend(chunk.phones)

    def spent(self) -> dict[str, float]:
        """Return nothing: keeping phones takes no time worth telling."""
        return {}


class FilmOutput:
    """A film: each picture is the face that belongs to the sound heard when it is shown."""

    def __init__(self, writer: FilmWriter, renderer: Renderer, frames: Frames) -> None:
        self._writer, self._renderer, self._frames = writer, renderer, frames
        self._heard_s = self._render_s = 0.0

    def write(self, chunk: Chunk) -> None:
        """Encode the chunk's sound, draw and encode its pictures."""
        self._heard_s = (chunk.start + len(chunk.pcm)) / chunk.pcm.rate_hz
        self._writer.audio(chunk.pcm)
        self._draw(self._frames.take(chunk.face))

    def finish(self) -> None:
        """Draw the pictures that are left until the sound ends."""
        self._draw(self._frames.rest(self._heard_s))

    def _draw(self, poses: Iterable[FacePose]) -> None:
        began = time.perf_counter()
        for picture in self._renderer.frames(poses):
            self._render_s += time.perf_counter() - began
            self._writer.picture(picture)
            began = time.perf_counter()

    def spent(self) -> dict[str, float]:
        """Return the seconds of waiting for pictures, and of encoding them, which goes on beside it."""
        return {"render": self._render_s, "encode": self._writer.busy_s}

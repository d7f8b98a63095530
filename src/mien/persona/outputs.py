"""What a performance can become: a film, a sound, or the movement of a face; chosen by the file's suffix."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    import numpy as np
    from numpy.typing import NDArray

    from mien.audio.files import SoundWriter
    from mien.avatar import Avatar
    from mien.avatar.render import Renderer
    from mien.media import FilmWriter, PictureWriter
    from mien.media.captions import Caption

FILMS = frozenset({".mp4", ".webm"})
SOUNDS = frozenset({".wav", ".flac", ".ogg", ".mp3"})
FACES = frozenset({".csv", ".json", ".npz", ".glb"})
PHONES = frozenset({".phones"})
PICTURES = frozenset({".png"})


@dataclass(frozen=True, slots=True)
class Film:
    """How a film looks. `size`: width and height in pixels; `fps`: pictures a second; `background`:
    `studio`, `office`, `transparent` (WebM and PNG), a colour such as `#00ff00`, or a picture's path;
    `renderer`: `software`, `gl`, or `auto`, which takes a GPU where there is one.
    """

    size: tuple[int, int] = (512, 512)
    fps: Fraction = Fraction(30)
    background: str = "studio"
    renderer: str = "auto"


@dataclass(frozen=True, slots=True)
class Setting:
    """What an output needs to know: the head that is drawn, the sound's rate, the film, whom to tell, and
    what a film's subtitle track says.
    """

    avatar: str
    rate_hz: int
    film: Film
    progress: Progress
    captions: Sequence[Caption] = ()


class Output(Protocol):
    """Takes chunks in order."""

    def write(self, chunk: Chunk) -> None:
        """Take the next chunk."""

    def spent(self) -> dict[str, float]:
        """Return the seconds of wall time that each stage took."""


def kind(path: Path) -> str:
    """Return `film`, `pictures`, `sound`, `face` or `phones`; raises `InputError` for another suffix."""
    suffix = path.suffix.lower()
    kinds = {"film": FILMS, "pictures": PICTURES, "sound": SOUNDS, "face": FACES, "phones": PHONES}
    for name, suffixes in kinds.items():
        if suffix in suffixes:
            return name
    valid = frozenset().union(*kinds.values())
    raise InputError(f"can not write {path.name!r}: unknown suffix {suffix!r}{nearest(suffix, valid)}")


def check_film(path: Path, film: Film) -> None:
    """Raise `InputError` when a film that `path` names can not look like `film`."""
    if kind(path) == "film" and film.background == "transparent":
        from mien.media.codecs import film_format

        film_format(path, alpha=True)


def open_output(path: Path, setting: Setting) -> AbstractContextManager[Output]:
    """Open `path`; on leaving without an error the finished file is put in place, else nothing is left."""
    match kind(path):
        case "film":
            return _film(path, setting)
        case "pictures":
            return _pictures(path, setting)
        case "sound":
            return _sound(path, setting)
        case "face":
            return _face(path, setting)
        case _:
            return _phones(path, setting)


@contextmanager
def _film(path: Path, setting: Setting) -> Iterator[Output]:
    from mien.media import FilmWriter

    film = setting.film
    alpha, captions = film.background == "transparent", setting.captions
    writing = FilmWriter(
        path, size=film.size, fps=film.fps, audio_rate_hz=setting.rate_hz, alpha=alpha, captions=captions
    )
    with (
        writing as writer,
        _renderer(setting) as renderer,
    ):
        output = FilmOutput(writer, renderer.frames_yuv, Frames(writer.fps))
        yield output
        output.finish()


@contextmanager
def _pictures(path: Path, setting: Setting) -> Iterator[Output]:
    from mien.media import PictureWriter

    with PictureWriter(path, fps=setting.film.fps) as writer, _renderer(setting) as renderer:
        output = FilmOutput(writer, renderer.frames, Frames(writer.fps))
        yield output
        output.finish()


def _renderer(setting: Setting) -> Renderer:
    from mien.avatar.render import open_renderer

    film = setting.film
    return open_renderer(film.renderer, _head(setting), film.size, film.background, setting.progress)


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


Draw = Callable[[Iterable[FacePose]], Iterator["NDArray[np.uint8]"]]


class FilmOutput:
    """A film: each picture is the face that belongs to the sound heard when it is shown."""

    def __init__(self, writer: FilmWriter | PictureWriter, draw: Draw, frames: Frames) -> None:
        self._writer, self._pictures, self._frames = writer, draw, frames
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
        for picture in self._pictures(poses):
            self._render_s += time.perf_counter() - began
            self._writer.picture(picture)
            began = time.perf_counter()

    def spent(self) -> dict[str, float]:
        """Return the seconds of waiting for pictures, and of encoding them, which goes on beside it."""
        return {"render": self._render_s, "encode": self._writer.busy_s}

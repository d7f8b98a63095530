"""Sound files: any WAV, FLAC, OGG or MP3 to mono samples and back (libsndfile)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np
import soundfile

from mien.atomic import replacing
from mien.audio.mixdown import Mixdown
from mien.audio.pcm import Pcm
from mien.errors import InputError, MissingError, ResourceError, nearest

FORMATS = {
    ".wav": ("WAV", "PCM_16"),
    ".flac": ("FLAC", "PCM_16"),
    ".ogg": ("OGG", "VORBIS"),
    ".mp3": ("MP3", "MPEG_LAYER_III"),
}
SLOWEST_HZ, FASTEST_HZ = 1_000, 768_000  # beyond these a header is damaged
_BLOCK = 1 << 18  # frames read at once: 5 s at 48 kHz


def read(path: Path | str) -> Pcm:
    """Read a sound file, mixed down to mono, at its own rate.

    Channels are mixed as `Mixdown` says; a file louder than full scale (float) is scaled to it.
    Raises `MissingError` when there is no such file, `ResourceError` when it may not be read and
    `InputError` when it is no sound, has no samples or samples that are no numbers.
    """
    return _mono(_open(Path(path)), str(path))


def decode(data: bytes, name: str) -> Pcm:
    """Read a sound file's bytes, as `read` does; `name` says in errors what they are."""
    try:
        return _mono(soundfile.SoundFile(io.BytesIO(data)), name)
    except soundfile.LibsndfileError as error:
        what = error.error_string.rstrip(".").lower()
        raise InputError(f"{name} is no sound that can be read ({what}); WAV, FLAC, OGG or MP3 can") from None


def _mono(opened: soundfile.SoundFile, name: str) -> Pcm:
    with opened as file:
        if not SLOWEST_HZ <= file.samplerate <= FASTEST_HZ:
            valid = f"{SLOWEST_HZ:,} to {FASTEST_HZ:,} Hz can be read"
            raise InputError(f"{name} says that it has {file.samplerate:,} Hz; {valid}: export it again")
        mix = Mixdown(file.channels)
        # soundfile seeks between blocks, which breaks an MP3's bit reservoir
        size = file.frames if file.format == "MP3" else _BLOCK
        try:
            for block in file.blocks(size, dtype="float32", always_2d=True):
                mix.push(block)
        except soundfile.LibsndfileError as error:
            what = error.error_string.rstrip(".").lower()
            raise InputError(f"{name} is damaged ({what}); export it again") from None
        samples = mix.finish()
        rate_hz = int(file.samplerate)
    if not len(samples):
        raise InputError(f"{name} holds no sound: it has no samples")
    peak = float(np.max(np.abs(samples)))
    if not np.isfinite(peak):
        raise InputError(f"{name} holds samples that are no numbers; export it again")
    return Pcm(samples / np.float32(peak) if peak > 1.0 else samples, rate_hz)


def write(path: Path | str, pcm: Pcm) -> None:
    """Write `pcm` to `path`; the format follows the suffix (`FORMATS`). See `SoundWriter`."""
    with SoundWriter(path, pcm.rate_hz) as writer:
        writer.write(pcm)


class SoundWriter:
    """Writes a sound file piece by piece; `path` appears complete when the `with` block ends well.

    The sound goes to a file beside it, which is renamed at the end and removed after an error.
    Raises `InputError` for an unknown suffix or a rate that the format does not know, `ResourceError`
    when the folder may not be written or the disk is full.
    """

    def __init__(self, path: Path | str, rate_hz: int) -> None:
        self.path = Path(path)
        self.rate_hz = rate_hz
        self._stack = ExitStack()

    def write(self, pcm: Pcm) -> None:
        """Append `pcm`, which must have the writer's rate; what is beyond full scale is clipped."""
        if pcm.rate_hz != self.rate_hz:
            raise ValueError(f"the file has {self.rate_hz} Hz, the sound {pcm.rate_hz} Hz: resample first")
        with self._refusals():
            self._file.write(np.clip(pcm.samples, -1.0, 1.0))

    def __enter__(self) -> SoundWriter:
        with ExitStack() as stack:
            aside = stack.enter_context(replacing(self.path))
            self._file = self._create(aside)
            stack.callback(self._close)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def _close(self) -> None:
        with self._refusals():
            self._file.close()

    def _create(self, aside: Path) -> soundfile.SoundFile:
        suffix = self.path.suffix.lower()
        if suffix not in FORMATS:
            raise InputError(f"can not write sound as {self.path.name!r}{nearest(suffix, FORMATS)}")
        container, subtype = FORMATS[suffix]
        try:
            return soundfile.SoundFile(aside, "w", self.rate_hz, 1, subtype, format=container)
        except soundfile.LibsndfileError as error:
            raise InputError(
                f"can not write {self.rate_hz} Hz as {suffix} ({error.error_string}); use .wav"
            ) from None

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except soundfile.LibsndfileError as error:
            what = error.error_string.rstrip(".").lower()
            raise ResourceError(f"can not write {self.path}: {what}; is the disk full?") from None


def _open(path: Path) -> soundfile.SoundFile:
    try:
        with path.open("rb") as file:
            size = len(file.read(1))
    except FileNotFoundError:
        raise MissingError(f"no sound file {path}; check the path") from None
    except OSError as error:
        raise ResourceError(f"can not read {path}: {(error.strerror or str(error)).lower()}") from None
    if size == 0:
        raise InputError(f"{path} holds no sound: the file is empty")
    try:
        return soundfile.SoundFile(path)
    except soundfile.LibsndfileError as error:
        what = error.error_string.rstrip(".").lower()
        raise InputError(
            f"{path} is no sound file that can be read ({what}); give WAV, FLAC, OGG or MP3"
        ) from None

"""Reading any film: pictures with their true presentation times, and its sound on the same clock."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Pcm, Samples
from mien.audio.resample import Resampler
from mien.errors import CorruptError, InputError, MissingError, require
from mien.media.rates import exact_rate

if TYPE_CHECKING:
    from av import VideoFrame
    from av.container import InputContainer

_BT709, _BT601 = 1, 5  # libswscale's SWS_CS_*
_UNKNOWN = 2  # ITU-T H.273: matrix not specified
_CUT_S = 0.5  # a stream that ends this much before its stated end is cut short


class FilmReader:
    """A film. Iterating gives `(time_s, rgb)`: seconds and uint8 `(H, W, 3)`, picture by picture.

    Zero is the start of the file's timeline (its first stream's start where that is later); edit lists,
    start offsets, encoder delay and variable rates are respected. Every iteration and every `audio()`
    decodes anew and holds one picture. Raises `MissingError` for no such file, `CorruptError` for one
    that is no film or is cut short, `InputError` when it has no pictures or no sound.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        with self._open() as container:
            if not container.streams:
                raise CorruptError(f"{self.path} is not a film, or is cut short: it has no streams")
            if not container.streams.video:
                raise InputError(f"{self.path} has no pictures; give a film, not a sound file")
            video = container.streams.video[0]
            self.size: tuple[int, int] = (video.codec_context.width, video.codec_context.height)
            self.fps: Fraction | None = exact_rate(float(video.average_rate)) if video.average_rate else None
            self.has_audio = bool(container.streams.audio)
            self._zero_s = max(0.0, (container.start_time or 0) / 1e6)
            self.duration_s = (container.duration or 0) / 1e6

    def __enter__(self) -> FilmReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: a reader holds no open file between iterations."""

    def __iter__(self) -> Iterator[tuple[float, NDArray[np.uint8]]]:
        """Decode the pictures in the order in which they are shown."""
        av = require("av", extra="video")
        reformatter = av.video.reformatter.VideoReformatter()
        for frame, time_s in self._frames("video"):
            yield time_s, _rgb(reformatter, frame)

    def audio(self, rate_hz: int | None = None) -> Pcm:
        """Return the sound as mono, its sample 0 at time zero of the pictures' clock.

        What starts later is preceded by silence, gaps are silence. `rate_hz`: resample to this rate.
        Raises `InputError` when there is no sound.
        """
        if not self.has_audio:
            raise InputError(f"{self.path} has no sound")
        parts: list[Samples] = []
        stream: Resampler | None = None
        for own_hz, samples in self._blocks():
            stream = stream or Resampler(own_hz, rate_hz or own_hz)
            parts.append(stream.push(samples))
        if stream is None:
            return Pcm.silence(0.0, rate_hz or 48_000)
        return Pcm(np.concatenate([*parts, stream.finish()]), stream.to_hz)

    def _blocks(self) -> Iterator[tuple[int, Samples]]:
        """Give mono blocks that follow each other without gap or overlap from time zero."""
        av = require("av", extra="video")
        resampler, end = None, 0
        for frame, time_s in self._frames("audio"):
            rate_hz = frame.sample_rate
            resampler = resampler or av.AudioResampler("fltp")
            parts = [part.to_ndarray() for part in resampler.resample(frame)]
            samples = np.concatenate(parts, 1).mean(0, np.float32)
            start = round(time_s * rate_hz)
            if abs(start - end) <= rate_hz // 500 and end:  # rounding of the container's clock
                start = end
            if start > end:
                yield rate_hz, np.zeros(start - end, np.float32)
            if (kept := samples[max(0, end - start) :]).size:
                yield rate_hz, kept
            end = max(end, start + len(samples))

    def _frames(self, kind: str) -> Iterator[tuple[Any, float]]:
        av = require("av", extra="video")
        last_s = 0.0
        with self._open() as container:
            stream = getattr(container.streams, kind)[0]
            stream.thread_type = "AUTO"
            try:
                for frame in container.decode(stream):
                    if frame.pts is None:
                        raise CorruptError(f"{self.path}: a frame after {last_s:.2f} s has no time")
                    time_s = float(frame.pts * frame.time_base) - self._zero_s
                    last_s = time_s + float((frame.duration or 0) * frame.time_base)
                    yield frame, time_s
            except av.FFmpegError as error:
                raise CorruptError(f"{self.path} is broken after {last_s:.2f} s: {error.strerror}") from None
            if (end_s := _stated_end_s(stream) - self._zero_s) - last_s > _CUT_S:
                said = f"its {kind} ends at {last_s:.2f} s of {end_s:.2f} s"
                raise CorruptError(f"{self.path} is cut short: {said}")

    def _open(self) -> InputContainer:
        av = require("av", extra="video")
        if not self.path.is_file():
            raise MissingError(f"no film {self.path}")
        try:
            container: InputContainer = av.open(str(self.path.absolute()))
        except av.FFmpegError as error:
            raise CorruptError(f"{self.path} is not a film, or is cut short: {error.strerror}") from None
        return container


def _stated_end_s(stream: Any) -> float:
    """Return when the file says that a stream ends, or 0; Matroska says it in a tag `hh:mm:ss.fraction`."""
    if stream.duration:
        return float(((stream.start_time or 0) + stream.duration) * stream.time_base)
    hours, minutes, seconds = (stream.metadata.get("DURATION") or "0:0:0").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def _rgb(reformatter: Any, frame: VideoFrame) -> NDArray[np.uint8]:
    space = int(frame.colorspace)
    if space in (_UNKNOWN, 0):
        space = _BT709 if frame.height >= 720 else _BT601
    image: NDArray[np.uint8] = reformatter.reformat(frame, format="rgb24", src_colorspace=space).to_ndarray()
    quarter_turns = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, quarter_turns)) if quarter_turns else image

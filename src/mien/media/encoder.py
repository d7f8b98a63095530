"""One film being encoded: samples and pictures in, a file out. Runs in one thread."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Samples
from mien.audio.resample import Resampler
from mien.errors import InputError, require
from mien.media.captions import Caption, add_track, mux
from mien.media.codecs import FilmFormat

if TYPE_CHECKING:
    from av import AudioStream, VideoFrame, VideoStream

Picture = NDArray[np.uint8]
AUDIO_BITS_PER_S = 96_000
KEYFRAME_S = 2
_BT709, _LIMITED = 1, 1  # ITU-T H.273: matrix, primaries and transfer 1; AVCOL_RANGE_MPEG


class Encoder:
    """A container with a picture and (when `audio_rate_hz` is given) a sound stream.

    Picture `i` is presented at exactly `i / fps`, sample `n` at `n / rate`. `captions` become a track.
    """

    def __init__(
        self,
        path: Path,
        kind: FilmFormat,
        size: tuple[int, int],
        fps: Fraction,
        audio_rate_hz: int | None,
        captions: Sequence[Caption] = (),
    ) -> None:
        av = require("av", extra="video")
        options = {"movflags": "+faststart"} if kind.container == "mp4" else {}
        self._container = av.open(str(path), "w", format=kind.container, options=options)
        self._reformatter = av.video.reformatter.VideoReformatter()
        self._pictures = self._samples = 0
        self._size, self._pixels = size, kind.pixels
        self._video = self._add_video(kind, size, fps)
        self._sound = None if audio_rate_hz is None else self._add_audio(kind, audio_rate_hz)
        track = add_track(self._container) if captions else None
        try:
            self._container.start_encoding()
        except av.FFmpegError as error:
            raise InputError(f"encoder {kind.video} can not start here: {error.strerror}") from None
        mux(self._container, track, captions)

    def _add_video(self, kind: FilmFormat, size: tuple[int, int], fps: Fraction) -> VideoStream:
        stream: VideoStream = self._container.add_stream(kind.video, rate=fps, options=dict(kind.options))
        context = stream.codec_context
        context.width, context.height, context.pix_fmt = *size, kind.pixels
        context.time_base, context.gop_size = 1 / fps, round(KEYFRAME_S * fps) or 1
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = _LIMITED
        if kind.pixels == "yuva420p":
            stream.metadata["alpha_mode"] = "1"  # Matroska's sign for players
        if not kind.options:  # an encoder without a constant quality that is known here
            context.bit_rate = int(size[0] * size[1] * fps * Fraction(1, 8))
        return stream

    def _add_audio(self, kind: FilmFormat, rate_hz: int) -> AudioStream:
        out_hz = kind.audio_rate_hz(rate_hz)
        self._resampler = Resampler(rate_hz, out_hz)
        stream: AudioStream = self._container.add_stream(kind.audio, rate=out_hz, layout="mono")
        stream.codec_context.bit_rate = AUDIO_BITS_PER_S
        stream.codec_context.time_base = Fraction(1, out_hz)
        return stream

    def audio(self, samples: Samples) -> None:
        """Append samples `(n,)` at `audio_rate_hz`."""
        self._encode(self._resampler.push(samples))

    def _encode(self, samples: Samples) -> None:
        if self._sound is None or not len(samples):
            return
        av = require("av", extra="video")
        context = self._sound.codec_context
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples)[None], "fltp", "mono")
        frame.sample_rate, frame.pts = context.sample_rate, self._samples
        frame.time_base = Fraction(1, context.sample_rate)
        self._samples += len(samples)
        self._container.mux(self._sound.encode(frame))

    def picture(self, image: Picture) -> None:
        """Append RGB `(H, W, 3)`, or BT.709 limited-range yuv420p planes `(H * 3 / 2, W)`; into a film with
        transparency RGBA `(H, W, 4)`, or yuva420p planes `(H * 5 / 2, W)`.
        """
        frame = self._planes(image)
        frame.pts, frame.time_base = self._pictures, self._video.codec_context.time_base
        self._pictures += 1
        self._container.mux(self._video.encode(frame))

    def _planes(self, image: Picture) -> VideoFrame:
        av = require("av", extra="video")
        frame: VideoFrame
        if image.ndim == 2 and self._pixels == "yuva420p":
            frame = _with_alpha(image, self._size)
        else:
            kinds = {2: "yuv420p", 3: "rgb24" if image.shape[-1] == 3 else "rgba"}
            frame = av.VideoFrame.from_numpy_buffer(image, kinds[image.ndim])
        if image.ndim == 3:
            frame = self._reformatter.reformat(
                frame,
                format=self._pixels,
                src_colorspace=_BT709,
                dst_colorspace=_BT709,
                dst_color_range=_LIMITED,
                threads=1,
            )
        frame.colorspace, frame.color_range = _BT709, _LIMITED
        return frame

    def finish(self) -> None:
        """Flush both encoders and write the file's end."""
        if self._sound is not None:
            self._encode(self._resampler.finish())
            self._container.mux(self._sound.encode(None))
        self._container.mux(self._video.encode(None))
        self._container.close()

    def abandon(self) -> None:
        """Close the file; what is in it is of no use."""
        av = require("av", extra="video")
        try:
            self._container.close()
        except (av.FFmpegError, OSError):  # a full disk refuses the end too; the file goes anyway
            return


def _with_alpha(planes: Picture, size: tuple[int, int]) -> VideoFrame:
    """Return a frame of Y, Cb, Cr and alpha, which are one after the other in `planes`."""
    av = require("av", extra="video")
    frame: VideoFrame = av.VideoFrame(*size, "yuva420p")
    flat, start = planes.reshape(-1), 0
    for plane in frame.planes:
        shape, count = (plane.height, plane.width), plane.height * plane.width
        rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
        rows[:, : plane.width] = flat[start : start + count].reshape(shape)
        start += count
    return frame

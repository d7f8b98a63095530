"""Does an encoder work on this machine? Ask it to encode."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

import numpy as np

from mien.errors import InputError, MissingError, require

_SIDE: Final = 256
_PICTURES: Final = 8
_RATE_HZ: Final = 48_000
_SOUND: Final = ("libopus", "aac")


def encode(encoder: str) -> int:
    """Encode some pictures, or a fifth of a second of a tone, and return the bytes that came.

    Raises `MissingError` when this FFmpeg has no such encoder, `InputError` with its reason when it refuses.
    """
    av = require("av", extra="video")
    try:
        coding = av.CodecContext.create(encoder, "w")
    except av.codec.codec.UnknownCodecError:
        raise MissingError(f"FFmpeg {_version(av)} has no encoder {encoder}") from None
    frames = _tone(av, coding) if encoder in _SOUND else _pictures(av, coding)
    try:
        return sum(packet.size for frame in (*frames, None) for packet in coding.encode(frame))
    except av.FFmpegError as error:
        raise InputError(f"the encoder {encoder} does not start: {error.strerror}") from None


def _pictures(av: Any, coding: Any) -> Iterator[Any]:
    coding.width = coding.height = _SIDE
    coding.pix_fmt, coding.time_base, coding.framerate = "yuv420p", Fraction(1, 25), Fraction(25)
    ramp = np.add.outer(np.arange(_SIDE), np.arange(_SIDE)).astype(np.uint8)
    for number in range(_PICTURES):
        picture = np.dstack([ramp, np.roll(ramp, number), ramp])
        frame = av.VideoFrame.from_ndarray(picture, "rgb24").reformat(format="yuv420p")
        frame.pts, frame.time_base = number, Fraction(1, 25)
        yield frame


def _tone(av: Any, coding: Any) -> Iterator[Any]:
    kind = "s16" if coding.name == "libopus" else "fltp"
    coding.sample_rate, coding.layout, coding.format = _RATE_HZ, "mono", kind
    coding.time_base = Fraction(1, _RATE_HZ)
    coding.open()
    size = coding.frame_size or 960
    wave = np.sin(np.arange(size) * 0.05)
    sound = (wave * 20_000).astype(np.int16) if kind == "s16" else wave.astype(np.float32)
    for number in range(_RATE_HZ // 5 // size):
        frame = av.AudioFrame.from_ndarray(sound[None], kind, "mono")
        frame.sample_rate, frame.pts, frame.time_base = _RATE_HZ, number * size, Fraction(1, _RATE_HZ)
        yield frame


def _version(av: Any) -> str:
    return str(getattr(av, "ffmpeg_version_info", ""))

"""Sound as bytes: encoded piece by piece while it is made, and decoded from whatever FFmpeg knows."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from mien.audio.pcm import Pcm, Samples
from mien.audio.resample import Resampler
from mien.errors import InputError, nearest, require

PCM_HZ, DECODED_HZ = 24_000, 16_000
_UNKNOWN = 0xFFFFFFFF  # the length of a file whose end is not known yet


@dataclass(frozen=True, slots=True)
class Coding:
    """`rate_hz`: 0 is the sound's own. `container` None: bare samples."""

    media_type: str
    container: str | None = None
    codec: str = ""
    rate_hz: int = PCM_HZ
    sample: str = "fltp"


CODINGS: Mapping[str, Coding] = {
    "mp3": Coding("audio/mpeg", "mp3", "libmp3lame"),
    "opus": Coding("audio/ogg", "ogg", "libopus", 48_000, "flt"),
    "aac": Coding("audio/aac", "adts", "aac"),
    "flac": Coding("audio/flac", "flac", "flac", sample="s16"),
    "wav": Coding("audio/wav"),
    "pcm": Coding("audio/pcm"),
}


class SoundStream:
    """Sound of one rate → bytes of one of `CODINGS`. `pcm` is 16 bits, little endian, 24 kHz, mono."""

    def __init__(self, kind: str, rate_hz: int) -> None:
        if kind not in CODINGS:
            raise InputError(f"no sound format {kind!r}{nearest(kind, CODINGS)}")
        self._kind, self._coding = kind, CODINGS[kind]
        self._resampler = Resampler(rate_hz, self._coding.rate_hz)
        self._encoder = None if self._coding.container is None else _Encoder(self._coding)
        self._started = False

    def push(self, pcm: Pcm) -> bytes:
        """Return the bytes that are ready behind `pcm`."""
        return self._coded(self._resampler.push(pcm.samples))

    def finish(self) -> bytes:
        """Return the rest."""
        data = self._coded(self._resampler.finish())
        return data + self._encoder.finish() if self._encoder is not None else data

    def close(self) -> None:
        """Let go of the encoder, whether it is finished or not."""
        if self._encoder is not None:
            self._encoder.close()

    def _coded(self, samples: Samples) -> bytes:
        if self._encoder is not None:
            return self._encoder.push(samples)
        data = _whole(samples).tobytes()
        head = _wav_head(self._coding.rate_hz) if self._kind == "wav" and not self._started else b""
        self._started = True
        return head + data


def decode(data: bytes, name: str, longest_s: float) -> Pcm:
    """Return the sound in a file's bytes at 16 kHz, mono, up to a little more than `longest_s`.

    Raises `InputError` for what is no sound; `name` says in it what the bytes are.
    """
    av = require("av", extra="video")
    try:
        with av.open(io.BytesIO(data)) as container:
            parts, held_s = [], 0.0
            to_mono = av.AudioResampler("flt", "mono", DECODED_HZ)
            for frame in container.decode(audio=0):
                parts += [part.to_ndarray()[0] for part in to_mono.resample(frame)]
                held_s += frame.samples / frame.sample_rate
                if held_s > longest_s:
                    break
            parts += [part.to_ndarray()[0] for part in to_mono.resample(None)]
    except (av.FFmpegError, IndexError, ValueError):
        raise InputError(
            f"{name} is no sound that can be read; send WAV, MP3, FLAC, OGG, M4A or WebM"
        ) from None
    if not parts:
        raise InputError(f"{name} holds no sound: it has no samples")
    return Pcm(np.concatenate(parts), DECODED_HZ)


def read(path: Path) -> Pcm:
    """Return the sound in a file of 16 bits, mono, such as telephone systems' G.722, at its own rate.

    Raises `InputError` for what is no sound.
    """
    av = require("av", extra="video")
    try:
        with av.open(path) as container:
            stream = container.streams.audio[0]
            parts = [frame.to_ndarray().reshape(-1) for frame in container.decode(stream)]
    except (av.FFmpegError, IndexError) as error:
        raise InputError(f"{path} is no sound that can be read ({error})") from None
    if not parts:
        raise InputError(f"{path} holds no sound: it has no samples")
    return Pcm((np.concatenate(parts) / 32_768).astype(np.float32), stream.rate)


class _Encoder:
    """A codec and its container, written to memory that nobody can go back in."""

    def __init__(self, coding: Coding) -> None:
        av = require("av", extra="video")
        self._coding, self._out, self._samples = coding, _Pipe(), 0
        self._container = av.open(self._out, "w", format=coding.container)
        self._stream = self._container.add_stream(coding.codec, rate=coding.rate_hz, layout="mono")
        self._stream.codec_context.format = coding.sample
        self._closed = False

    def push(self, samples: Samples) -> bytes:
        if len(samples):
            av = require("av", extra="video")
            sound = _whole(samples) if self._coding.sample == "s16" else np.ascontiguousarray(samples)
            frame = av.AudioFrame.from_ndarray(sound[None], self._coding.sample, "mono")
            frame.sample_rate, frame.pts = self._coding.rate_hz, self._samples
            frame.time_base = Fraction(1, self._coding.rate_hz)
            self._samples += len(samples)
            self._container.mux(self._stream.encode(frame))
        return self._out.taken()

    def finish(self) -> bytes:
        self._container.mux(self._stream.encode(None))
        self.close()
        return self._out.taken()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._container.close()


class _Pipe:
    """A file that is only written, front to back."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()

    def write(self, data: bytes) -> int:
        return self._buffer.write(data)

    def taken(self) -> bytes:
        data = self._buffer.getvalue()
        self._buffer = io.BytesIO()
        return data


def _whole(samples: Samples) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    return np.clip(np.rint(samples * 32_768), -32_768, 32_767).astype("<i2")


def _wav_head(rate_hz: int) -> bytes:
    """Return the head of a WAV file of 16 bits, mono, that may end anywhere (RIFF, `fmt `, `data`)."""
    shape = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, rate_hz, 2 * rate_hz, 2, 16)
    return b"RIFF" + struct.pack("<I", _UNKNOWN) + b"WAVE" + shape + b"data" + struct.pack("<I", _UNKNOWN)

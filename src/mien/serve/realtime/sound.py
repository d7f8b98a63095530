"""Sound as it goes over the wire, and where its samples lie on the session's clock of 24 kHz."""

from __future__ import annotations

import base64
import binascii

import numpy as np

from mien.audio import g711
from mien.audio.pcm import Pcm, Samples
from mien.audio.resample import Resampler
from mien.errors import InputError
from mien.serve.refusals import RefusedError

CLOCK_HZ = 24_000
RATES_HZ = {"audio/pcm": CLOCK_HZ, "audio/pcmu": g711.RATE_HZ, "audio/pcma": g711.RATE_HZ}


def of_base64(text: str) -> bytes:
    """Return the bytes that a text holds; raises `RefusedError` for what is no base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise RefusedError("audio is no base64; encode whole samples", "invalid_value", "audio") from None


def decode(data: bytes, kind: str) -> Samples:
    """Return bytes as samples at the format's rate; raises `RefusedError` for half a sample."""
    if kind == "audio/pcm":
        if len(data) % 2:
            raise RefusedError(
                f"{len(data)} bytes are no 16-bit samples; send an even number", "invalid_value", "audio"
            )
        return np.frombuffer(data, "<i2").astype(np.float32) / np.float32(32_768)
    return g711.decode_mulaw(data) if kind == "audio/pcmu" else g711.decode_alaw(data)


def encode(samples: Samples, kind: str) -> bytes:
    """Return samples at the format's rate as bytes."""
    if kind == "audio/pcm":
        return np.clip(np.rint(samples * 32_768), -32_768, 32_767).astype("<i2").tobytes()
    return g711.encode_mulaw(samples) if kind == "audio/pcmu" else g711.encode_alaw(samples)


class Incoming:
    """What a client sends → samples at `CLOCK_HZ`."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._resampler = Resampler(RATES_HZ[kind], CLOCK_HZ)

    def take(self, data: bytes) -> Pcm:
        """Return the next sound; raises `RefusedError`."""
        samples = decode(data, self.kind)
        if len(samples) > 60 * RATES_HZ[self.kind]:
            seconds = len(samples) / RATES_HZ[self.kind]
            raise RefusedError(
                f"{seconds:.0f} s of sound came at once; send up to 60", "invalid_value", "audio"
            )
        return Pcm(self._resampler.push(samples), CLOCK_HZ)


class Outgoing:
    """A voice's sound → bytes of a format, each piece with its first sample on the session's clock.

    Sound of one run goes through one filter; a run ends where the next sound does not follow.
    """

    def __init__(self, voice_hz: int, kind: str) -> None:
        if voice_hz <= 0:
            raise InputError(f"a voice of {voice_hz} Hz can not be sent")
        self.kind, self._voice_hz, self._out_hz = kind, voice_hz, RATES_HZ[kind]
        self._resampler: Resampler | None = None
        self._begun = self._taken = self._given = 0  # where the run began; of it: in, out

    def push(self, start: int, samples: Samples) -> list[tuple[int, bytes]]:
        """Take sound that begins at `start` on the voice's clock."""
        pieces = []
        if self._resampler is None or start != self._begun + self._taken:
            pieces = (
                self.finish() if self._resampler is not None and start > self._begun + self._taken else []
            )
            self._resampler = Resampler(self._voice_hz, self._out_hz)
            self._begun, self._taken, self._given = start, 0, 0
        self._taken += len(samples)
        return [*pieces, *self._piece(self._resampler.push(samples))]

    def finish(self) -> list[tuple[int, bytes]]:
        """Return the rest of a run that ended."""
        if self._resampler is None:
            return []
        rest, self._resampler = self._resampler.finish(), None
        return self._piece(rest)

    def drop(self) -> None:
        """Forget the rest of a run that was cut."""
        self._resampler = None

    def at(self, sample: int) -> int:
        """Return the session's sample of one on the voice's clock."""
        return (2 * sample * CLOCK_HZ + self._voice_hz) // (2 * self._voice_hz)

    def _piece(self, samples: Samples) -> list[tuple[int, bytes]]:
        if not len(samples):
            return []
        start = self.at(self._begun) + self._given * CLOCK_HZ // self._out_hz
        self._given += len(samples)
        return [(start, encode(samples, self.kind))]

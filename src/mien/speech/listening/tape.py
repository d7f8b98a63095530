"""The sound that came, at 16 kHz: checked, cut into hops, kept as long as it is needed."""

from __future__ import annotations

import numpy as np

from mien.audio.files import FASTEST_HZ, SLOWEST_HZ
from mien.audio.pcm import Pcm, Samples
from mien.audio.resample import Resampler
from mien.errors import InputError
from mien.speech.listening.activity import HOP, RATE_HZ

LONGEST_PUSH_S = 60.0


class Intake:
    """Sound in pieces of any size → hops of 512 samples at 16 kHz; the same hops however it was cut."""

    def __init__(self, rate_hz: int) -> None:
        if not SLOWEST_HZ <= rate_hz <= FASTEST_HZ:
            raise InputError(
                f"sound of {rate_hz} Hz can not be listened to; from {SLOWEST_HZ:,} to {FASTEST_HZ:,} Hz can"
            )
        self.rate_hz = rate_hz
        self._resampler = Resampler(rate_hz, RATE_HZ)
        self._rest: Samples = np.zeros(0, np.float32)
        self._pushed = self._made = 0  # samples, at each rate
        self._silent = 0  # samples at 16 kHz that are taken back

    def check(self, pcm: Pcm) -> Samples:
        """Return the samples when they can be heard.

        Raises `InputError` for another rate, another shape, samples that are no numbers, and more than
        60 s at once.
        """
        samples = np.asarray(pcm.samples)
        if pcm.rate_hz != self.rate_hz:
            raise InputError(
                f"sound of {pcm.rate_hz} Hz came where {self.rate_hz} Hz was agreed; resample it, or open "
                "another listener"
            )
        if samples.ndim != 1 or samples.dtype.kind != "f":
            raise InputError(
                f"sound of shape {samples.shape} and type {samples.dtype} came; mono float32 is heard"
            )
        if len(samples) > LONGEST_PUSH_S * self.rate_hz:
            raise InputError(
                f"{len(samples) / self.rate_hz:,.0f} s of sound came at once; {LONGEST_PUSH_S:.0f} s are the "
                "most: push it as it comes"
            )
        if not np.isfinite(samples).all():
            raise InputError(
                "sound came with samples that are no numbers (NaN or infinite); check its source"
            )
        return np.clip(samples, -1.0, 1.0).astype(np.float32, copy=False)

    def push(self, samples: Samples) -> list[Samples]:
        """Return the hops that are whole after `samples`."""
        self._pushed += len(samples)
        return self._cut(self._resampler.push(samples))

    def finish(self) -> list[Samples]:
        """Return the last hops, the very last filled up with silence."""
        hops = self._cut(self._resampler.finish())
        if len(self._rest):
            hops.append(np.pad(self._rest, (0, HOP - len(self._rest))))
        return hops

    def clear(self) -> None:
        """Take back what was pushed and is in no hop yet: it becomes silence."""
        self._rest = np.zeros_like(self._rest)
        self._silent = -(-self._pushed * RATE_HZ // self.rate_hz)

    def sample(self, at: int) -> int:
        """Return the place on the pushed sound's clock of a sample at 16 kHz."""
        return at * self.rate_hz // RATE_HZ

    def _cut(self, samples: Samples) -> list[Samples]:
        silent = np.arange(self._made, self._made + len(samples)) < self._silent
        self._made += len(samples)
        joined = np.concatenate([self._rest, np.where(silent, np.float32(0.0), samples)])
        whole = len(joined) // HOP * HOP
        self._rest = joined[whole:]
        return [joined[at : at + HOP] for at in range(0, whole, HOP)]


class Tape:
    """The last sound at 16 kHz, by its place in the stream; what is forgotten is gone."""

    def __init__(self) -> None:
        self._hops: list[Samples] = []
        self._first = 0  # the stream's number of the first hop that is kept

    @property
    def end(self) -> int:
        """The sample behind the last."""
        return (self._first + len(self._hops)) * HOP

    @property
    def kept(self) -> int:
        """How many samples are held."""
        return len(self._hops) * HOP

    def add(self, hop: Samples) -> None:
        """Append a hop."""
        self._hops.append(hop)

    def forget(self, before: int) -> None:
        """Drop the hops that lie wholly before a sample."""
        gone = min(max(0, before // HOP - self._first), len(self._hops))
        del self._hops[:gone]
        self._first += gone

    def cut(self, start: int, end: int) -> Samples:
        """Return samples `start:end` of the stream, as far as they are kept."""
        first = max(start // HOP, self._first)
        hops = self._hops[first - self._first : -(-end // HOP) - self._first]
        sound = np.concatenate([np.zeros(0, np.float32), *hops])
        return sound[max(0, start - first * HOP) : max(0, end - first * HOP)]

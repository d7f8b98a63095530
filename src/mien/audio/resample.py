"""Change of sample rate (soxr), whole or as a stream, exact in length."""

from __future__ import annotations

import numpy as np
import soxr

from mien.audio.pcm import Pcm, Samples


def resample(pcm: Pcm, rate_hz: int) -> Pcm:
    """Return `pcm` at `rate_hz`, `resampled_length` samples long; at its own rate it is returned as it is."""
    if pcm.rate_hz == rate_hz:
        return pcm
    resampler = Resampler(pcm.rate_hz, rate_hz)
    return Pcm(np.concatenate([resampler.push(pcm.samples), resampler.finish()]), rate_hz)


def resampled_length(samples: int, from_hz: int, to_hz: int) -> int:
    """Return how many samples `samples` at `from_hz` are at `to_hz`: rounded to the nearest, halves up."""
    return (2 * samples * to_hz + from_hz) // (2 * from_hz)


class Resampler:
    """A stream from one rate to another: what went in and what came out never drift apart.

    The output lags while the filter fills (about 10 ms); `finish` gives the rest. The total is
    `resampled_length` of all that was pushed, and sample `i` lies at time `i / to_hz`.
    """

    def __init__(self, from_hz: int, to_hz: int) -> None:
        if from_hz <= 0 or to_hz <= 0:
            raise ValueError(f"sample rates must be above 0, not {from_hz} and {to_hz}")
        self.from_hz = from_hz
        self.to_hz = to_hz
        self._stream = soxr.ResampleStream(from_hz, to_hz, 1, dtype="float32", quality="HQ")
        self._pushed = 0
        self._pulled = 0

    def push(self, samples: Samples) -> Samples:
        """Return what is ready after `samples` (n,) float32."""
        self._pushed += len(samples)
        return self._take(np.ascontiguousarray(samples, np.float32), last=False)

    def finish(self) -> Samples:
        """Return the rest; the stream is over."""
        rest = self._take(np.zeros(0, np.float32), last=True)
        missing = resampled_length(self._pushed, self.from_hz, self.to_hz) - self._pulled
        return np.pad(rest, (0, missing)) if missing > 0 else rest

    def _take(self, samples: Samples, *, last: bool) -> Samples:
        out: Samples = samples if self.from_hz == self.to_hz else self._stream.resample_chunk(samples, last)
        room = resampled_length(self._pushed, self.from_hz, self.to_hz) - self._pulled
        out = out[: max(room, 0)]
        self._pulled += len(out)
        return out

"""Where in a film somebody speaks, and where they are silent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.measure.sound import HOP_S, Sound

BELOW_SPEECH_DB = 32.0  # weak consonants lie up to 30 dB below the loudest vowels
ABOVE_NOISE_DB = 6.0
LONGEST_CLOSURE_S = 0.2  # a stop's closure is shorter: such a gap is not a pause
SHORTEST_SOUND_S = 0.04  # clicks are not speech
QUIETEST_DB = -65.0


@dataclass(frozen=True, slots=True)
class Span:
    """From `start_s` to `end_s` on the film's clock."""

    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        """Seconds."""
        return self.end_s - self.start_s

    @property
    def middle_s(self) -> float:
        """Seconds."""
        return (self.start_s + self.end_s) / 2


def runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return `(first, past the last)` of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def speech(sound: Sound) -> list[Span]:
    """Return the stretches of speech between pauses of more than 200 ms."""
    level = sound.level_db
    if not len(level):
        return []
    quiet, loud = (float(value) for value in np.percentile(level, [5, 95]))
    threshold = max(QUIETEST_DB, loud - BELOW_SPEECH_DB, min(quiet + ABOVE_NOISE_DB, loud - 12))
    voiced = [(a, b) for a, b in runs(level > threshold) if (b - a) * HOP_S >= SHORTEST_SOUND_S]
    merged: list[tuple[int, int]] = []
    for start, end in voiced:
        if merged and (start - merged[-1][1]) * HOP_S <= LONGEST_CLOSURE_S:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return [Span(a * HOP_S, b * HOP_S) for a, b in merged]


def silences(spoken: list[Span], end_s: float) -> list[Span]:
    """Return the pauses of more than 200 ms, those before and after all speech included."""
    edges = [0.0, *(t for span in spoken for t in (span.start_s, span.end_s)), end_s]
    pauses = [Span(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return [pause for pause in pauses if pause.length_s > LONGEST_CLOSURE_S]


def covers(spans: list[Span], times_s: NDArray[np.float64], margin_s: float = 0.0) -> NDArray[np.bool_]:
    """Return which times lie in a span and at least `margin_s` from its ends, `(n,)`."""
    out = np.zeros(len(times_s), bool)
    for span in spans:
        out |= (times_s >= span.start_s + margin_s) & (times_s <= span.end_s - margin_s)
    return out

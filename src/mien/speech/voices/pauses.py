"""Where a recording is silent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.audio.features import FRAME_HZ

Span = tuple[int, int]  # first frame, frame after the last; 5 ms each

SHORTEST_S = 0.15  # longer than any stop's closure
EDGE_S = 0.03  # of a pause that stays on each side when it is cut out
BELOW_SPEECH_DB = 38.0  # speech's own range between its loudest vowels and its weakest consonants


def threshold_db(level: NDArray[np.float32]) -> float:
    """Return the level under which a recording is silent.

    Nine tenths up its own range lies loud speech; silence is what is `BELOW_SPEECH_DB` under it, or
    a quarter of the way up from the noise in a noisy recording.
    """
    if not len(level):
        return 0.0
    loud = float(np.percentile(level, 95))
    noise = float(np.percentile(level, 3))
    return max(loud - BELOW_SPEECH_DB, noise + 0.25 * (loud - noise) if loud - noise > 12.0 else noise - 1.0)


def pauses(level: NDArray[np.float32], shortest_s: float = SHORTEST_S) -> tuple[Span, ...]:
    """Return the silent stretches of `level` (T,) in dB, 200 frames a second, of at least `shortest_s`.

    At the edges any silence counts. A click of under 20 ms does not end a pause.
    """
    if not len(level):
        return ()
    silent = level < threshold_db(level)
    runs = _bridge(_runs(silent), round(0.02 * FRAME_HZ))
    shortest = round(shortest_s * FRAME_HZ)
    return tuple(
        (start, end) for start, end in runs if end - start >= shortest or start == 0 or end == len(level)
    )


def kept_frames(total: int, silent: tuple[Span, ...]) -> NDArray[np.int64]:
    """Return the frames of `total` that are left when each pause is cut down to its edges."""
    keep = np.ones(total, bool)
    edge = round(EDGE_S * FRAME_HZ)
    for start, end in silent:
        keep[start + edge : max(start + edge, end - edge)] = False
    return np.flatnonzero(keep)


def _runs(mask: NDArray[np.bool_]) -> list[Span]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _bridge(runs: list[Span], longest: int) -> list[Span]:
    """Join runs that lie at most `longest` apart, when both are longer than that."""
    out: list[Span] = []
    for start, end in runs:
        if out and start - out[-1][1] <= longest and min(end - start, out[-1][1] - out[-1][0]) > longest:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out

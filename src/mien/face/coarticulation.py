"""Coarticulation: each phoneme pulls the mouth, the stronger the nearer (dominance functions).

After Cohen and Massaro, "Modeling coarticulation in synthetic visual speech" (1993), with kernels of
bounded reach in place of exponentials, so that a frame depends on a bounded stretch of speech.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mien.face.curves import Times, ramp
from mien.face.segments import MIN_PAUSE_S, Run, Segment
from mien.face.visemes import ARTICULATORS, Floats, articulator_of_units

# Seconds over which an articulator prepares a phoneme and lets it go, by ARTICULATORS.
# Rounding is anticipated by 80 to 120 ms (Perkell and Matthies 1992), the jaw is slower than the lips.
LEAD_S = np.array([0.082, 0.150, 0.120, 0.078, 0.060])
LAG_S = np.array([0.090, 0.110, 0.110, 0.082, 0.060])
MARGIN, MAX_MARGIN_S = 0.34, 0.045
"""Part of a phoneme at each edge, and its bound, before its pull is full."""
REST_DOMINANCE = 0.03

CLOSE_S, OPEN_S = 0.07, 0.08
"""Seconds the mouth takes to close after speech and to open before it."""
END_S = 0.05
"""The lips are closed for at least this long at the end of a clip: a frame at 25 fps."""
EDGE_SHARE = 0.32
"""The same as a part of a short pause, so that its middle third is still."""
CLOSE_LEAD_S, OPEN_LAG_S = 0.03, 0.02

_UNITS = np.flatnonzero(articulator_of_units() >= 0)
_GROUP = articulator_of_units()[_UNITS]
_CLEAR_S = 0.10
_STRESS_GAIN = (0.93, 1.0, 1.08)


def gain(segment: Segment, energy: float) -> float:
    """Return how far a phoneme reaches its shape: less when short or unstressed, more with `energy`."""
    clarity = 0.75 + 0.5 * energy
    if not segment.viseme.vowel:
        return clarity
    haste = 0.8 + 0.2 * min(segment.phone_s / _CLEAR_S, 1.0)
    return clarity * haste * _STRESS_GAIN[segment.stress]


def dominance(segment: Segment, times: Times, *, first: bool = False, last: bool = False) -> Floats:
    """Return the pull `(T, 5)` of a segment on each articulator.

    It is full before the `first` and after the `last` segment of a run: there `activity` shapes the mouth.
    """
    margin = min((segment.end - segment.start) * MARGIN, MAX_MARGIN_S)
    before = np.zeros((1, 1)) if first else (segment.start + margin - times)[:, None] / LEAD_S
    after = np.zeros((1, 1)) if last else (times - segment.end + margin)[:, None] / LAG_S
    u = 1.0 - np.minimum(np.maximum(np.maximum(before, after), np.zeros((len(times), 5))), 1.0)
    pull: Floats = u * u * (3.0 - 2.0 * u) * segment.viseme.dominance
    return pull


def mouth(segments: Sequence[Segment], times: Times, energy: float) -> Floats:
    """Return the weights `(T, 52)` of the mouth as all phonemes pull it; rest pulls a little too."""
    total = np.full((len(times), len(ARTICULATORS)), REST_DOMINANCE)
    shape = np.zeros((len(times), len(_UNITS)))
    for i, segment in enumerate(segments):
        near = slice(*np.searchsorted(times, (segment.start - LEAD_S.max(), segment.end + LAG_S.max())))
        if near.start == near.stop:
            continue
        first = i == 0 or segment.start - segments[i - 1].end >= MIN_PAUSE_S
        last = i + 1 == len(segments) or segments[i + 1].start - segment.end >= MIN_PAUSE_S
        pull = dominance(segment, times[near], first=first, last=last)
        total[near] += pull
        shape[near] += pull[:, _GROUP] * (segment.viseme.weights[_UNITS] * gain(segment, energy))
    out = np.zeros((len(times), len(articulator_of_units())))
    out[:, _UNITS] = shape / total[:, _GROUP]
    return out


def activity(runs: Sequence[Run], times: Times, end_s: float = np.inf) -> Times:
    """Return 1 in speech and 0 in pauses `(T,)`: the mouth opens before the sound and closes right after.

    `end_s`: where the clip ends; the mouth is closed there.
    """
    out = np.zeros(len(times))
    for i, run in enumerate(runs):
        gap_before = run.start - runs[i - 1].end if i else np.inf
        gap_after = runs[i + 1].start - run.end if i + 1 < len(runs) else np.inf
        lead, tail = min(OPEN_S, EDGE_SHARE * gap_before), min(CLOSE_S, EDGE_SHARE * gap_after)
        stop = min(run.end, end_s - tail - END_S)
        begin = max(run.start - lead, 0.0)
        rise = ramp(times, begin, max(run.start + OPEN_LAG_S, begin + 0.05))
        fall = ramp(times, stop - CLOSE_LEAD_S, stop + tail)
        out = np.maximum(out, rise * (1.0 - fall))
    return out

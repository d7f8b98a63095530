"""How far the picture leads or lags the sound.

Two readings. *Coarse*: where loudness and aperture correlate best. It is good to some 20 ms, because lips
open before the voice and close after it. *Closures*: while the lips are sealed no mouth can be loud (a stop
is silent, a nasal is dark), so the mean sound around the closings that the picture shows has a dip, and the
middle of the dip is the picture's zero: lips that part at the burst. It needs no text and no training.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.measure.sound import HOP_S, Sound
from mien.measure.speech import Span, covers

Doubles = NDArray[np.float64]

FARTHEST_S = 1.5  # offsets looked for
RIVAL_S = 0.25  # a second peak nearer than this is the same one
DIP_S = 0.1  # half the width in which the dip is sought
CONTEXT_S = 0.15  # speech that must surround a closure
FEWEST_CLOSURES = 4
LEAST_SPEECH_S = 1.5
LEAST_CONFIDENCE = 0.25
SYLLABLE_S = 0.25  # one independent opening of the mouth
COARSE_ERROR_MS = 15.0
SYSTEMATIC_ERROR_MS = 3.0
QUIETEST_DB = -75.0
FIRST_BAND = 3  # above some 600 Hz: a nasal's murmur lies below


@dataclass(frozen=True, slots=True)
class Offset:
    """`value_ms`: positive when the picture leads the sound, negative when it lags; `error_ms`: one standard
    error; `confidence` in [0, 1]: how much the best correlation stands out of all others within 1.5 s, less
    where chance could have made it; `method`: "closures" or "correlation"; `events`: closures used;
    `reason`: why there is no value.
    """

    value_ms: float | None
    error_ms: float | None = None
    confidence: float = 0.0
    method: str | None = None
    events: int = 0
    reason: str | None = None


def brightness(sound: Sound) -> Doubles:
    """Return the mean level above the nasal murmur, dB, smoothed over 6 ms, `(n,)`."""
    from scipy.ndimage import gaussian_filter1d

    bright = np.maximum(sound.bands_db[:, FIRST_BAND:].mean(axis=1), QUIETEST_DB)
    return np.asarray(gaussian_filter1d(bright.astype(np.float64), 3), np.float64)


def measure_offset(grid: Doubles, shut: list[Span], bright: Doubles, spoken: list[Span]) -> Offset:
    """Find the offset.

    `grid` (n,): the mouth's `opening` at every `HOP_S`, NaN where unknown; `shut`: closings seen;
    `bright` (n,): see `brightness`; `spoken`: speech heard.
    """
    seconds = sum(span.length_s for span in spoken)
    if seconds < LEAST_SPEECH_S:
        return Offset(None, reason=f"only {seconds:.2f} s of speech; {LEAST_SPEECH_S} s are needed")
    curve = correlation(grid, bright)
    if curve is None:
        return Offset(None, reason="the mouth is not seen while there is speech")
    coarse_s, best, outstanding = _peak(curve)
    chances = best * np.sqrt(seconds / SYLLABLE_S)  # in standard deviations of an unrelated pair
    confidence = outstanding * float(np.clip((chances - 1) / 2, 0, 1))
    if confidence < LEAST_CONFIDENCE:
        why = f"the mouth hardly moves with the sound: confidence {confidence:.2f} of {LEAST_CONFIDENCE}"
        return Offset(None, confidence=confidence, reason=f"{why}; a longer film tells more")
    return _by_closures(shut, bright, spoken, coarse_s, confidence) or Offset(
        coarse_s * 1e3, COARSE_ERROR_MS, confidence, "correlation"
    )


def correlation(grid: Doubles, bright: Doubles) -> Doubles | None:
    """Return the correlation of aperture(t) with loudness(t + lag) for lags of -1.5 to 1.5 s by `HOP_S`.

    Unknown apertures are left out of every sum. None when nothing moves or overlaps.
    """
    size = min(len(grid), len(bright))
    known = ~np.isnan(grid[:size])
    if known.sum() * HOP_S < 1 or np.nanstd(grid[:size]) < 1e-4 or bright[:size].std() < 1e-3:
        return None
    x = np.where(known, grid[:size] - np.nanmean(grid[:size]), 0.0)
    y = bright[:size] - bright[:size].mean()
    reach = min(round(FARTHEST_S / HOP_S), size // 2)
    both, ones = _cross(x, y, reach), np.ones(size)
    count = np.maximum(_cross(known.astype(float), ones, reach), 1)
    sum_x, sum_y = _cross(x, ones, reach), _cross(known.astype(float), y, reach)
    var_x = _cross(x * x, ones, reach) - sum_x**2 / count
    var_y = _cross(known.astype(float), y * y, reach) - sum_y**2 / count
    return np.asarray((both - sum_x * sum_y / count) / np.sqrt(np.maximum(var_x * var_y, 1e-9)))


def _cross(x: Doubles, y: Doubles, reach: int) -> Doubles:
    """Return Σ x(t) y(t + lag) for lags of -reach to reach."""
    from scipy.signal import correlate

    full = correlate(y, x, mode="full", method="fft")
    return np.asarray(full[len(x) - 1 - reach : len(x) + reach], np.float64)


def _peak(curve: Doubles) -> tuple[float, float, float]:
    """Return the best lag in seconds (by parabola), its correlation, and how much it stands out."""
    middle, top = len(curve) // 2, int(np.argmax(curve))
    shift = 0.0
    if 0 < top < len(curve) - 1:
        left, here, right = curve[top - 1 : top + 2]
        shift = float(0.5 * (left - right) / min(left - 2 * here + right, -1e-12))
    far = np.abs(np.arange(len(curve)) - top) > RIVAL_S / HOP_S
    rival = float(curve[far].max()) if far.any() else 0.0
    best = float(curve[top])
    outstanding = float(np.clip((best - max(rival, 0.0)) / max(best, 1e-9), 0, 1))
    return (top - middle + shift) * HOP_S, best, outstanding


def _by_closures(
    shut: list[Span], bright: Doubles, spoken: list[Span], coarse_s: float, confidence: float
) -> Offset | None:
    """Refine the coarse offset by the dip; None when there are too few closures or no dip."""
    middles = usable(shut, spoken, coarse_s)
    value_s = dip(middles, bright, coarse_s)
    if value_s is None or len(middles) < FEWEST_CLOSURES:
        return None
    error = np.hypot(jackknife(middles, bright, value_s) * 1e3, SYSTEMATIC_ERROR_MS)
    if error > 2 * COARSE_ERROR_MS:
        return None
    return Offset(value_s * 1e3, float(error), confidence, "closures", len(middles))


def usable(shut: list[Span], spoken: list[Span], offset_s: float) -> Doubles:
    """Return the middles of the closings that lie inside speech, seconds, `(k,)`."""
    middles = np.array([span.middle_s for span in shut])
    return middles[covers(spoken, middles + offset_s, CONTEXT_S)] if len(middles) else middles


def dip(middles: Doubles, bright: Doubles, start_s: float) -> float | None:
    """Return where, relative to the closings, the mean sound is darkest: the centroid of its dip, seconds.

    Looks 100 ms to both sides of `start_s`, then moves there until it stands still.
    """
    at = start_s
    lags = np.arange(-round(DIP_S / HOP_S), round(DIP_S / HOP_S) + 1) * HOP_S
    for _ in range(12):
        mean = _mean_around(middles, bright, at + lags)
        if mean is None:
            return None
        depth = np.clip(np.median(mean) - mean, 0, None)
        if depth.max() < 1.0:
            return None
        centre = float((depth * lags).sum() / depth.sum())
        at += centre
        if abs(at - start_s) > 2 * DIP_S:
            return None
        if abs(centre) < 1e-4:
            break
    return at


def _mean_around(middles: Doubles, bright: Doubles, lags: NDArray[np.floating]) -> Doubles | None:
    """Return the mean brightness at `lags` from the closings that have all of them in the sound."""
    position = (middles[:, None] + lags) / HOP_S
    inside = (
        (position[:, 0] >= 0) & (position[:, -1] <= len(bright) - 1) if len(middles) else np.zeros(0, bool)
    )
    if inside.sum() < 2:
        return None
    values = np.interp(position[inside], np.arange(len(bright)), bright)
    return np.asarray(values.mean(axis=0), np.float64)


def jackknife(middles: Doubles, bright: Doubles, value_s: float) -> float:
    """Return the standard error of the dip's place, by leaving out up to 40 groups of closings, seconds."""
    groups = min(len(middles), 40)
    rest = [
        dip(np.delete(middles, np.arange(g, len(middles), groups)), bright, value_s) for g in range(groups)
    ]
    known = np.array([value for value in rest if value is not None])
    if len(known) < 2:
        return DIP_S
    return float(np.sqrt((len(known) - 1) / len(known) * np.sum((known - known.mean()) ** 2)))

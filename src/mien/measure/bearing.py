"""How the head is held and the eyes blink, and whether the face trembles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.measure.speech import runs
from mien.measure.watch import FaceSeries

CLOSING_SHARE = 0.6  # a lid gap under this share of the open one is a blink
LONGEST_BLINK_S = 0.6
LEAST_FOR_RATE_S = 2.0


@dataclass(frozen=True, slots=True)
class Bearing:
    """`jitter`: deviation of the steady points from a smooth path, in face widths, head motion removed.
    `blinks_per_minute`, `blink_ms`: rate, and median duration at half closure (None without a blink).
    `yaw`, `pitch`, `roll`: ranges of the head in degrees, 5th to 95th percentile.
    """

    jitter: float
    blinks: int
    blinks_per_minute: float | None
    blink_ms: float | None
    yaw: float
    pitch: float
    roll: float


def bearing(series: FaceSeries) -> Bearing | None:
    """Judge head and eyes; None when there is no face."""
    if not series.seen.any():
        return None
    shake = series.shake[~np.isnan(series.shake)]
    blinks = _blinks(series)
    seconds = float(np.sum(series.seen)) * _interval_s(series)
    return Bearing(
        jitter=float(np.median(shake)) if len(shake) else 0.0,
        blinks=len(blinks),
        blinks_per_minute=60 * len(blinks) / seconds if seconds >= LEAST_FOR_RATE_S else None,
        blink_ms=float(np.median(blinks)) * 1e3 if blinks else None,
        yaw=_range(series, "yaw"),
        pitch=_range(series, "pitch"),
        roll=_range(series, "roll"),
    )


def _interval_s(series: FaceSeries) -> float:
    return float(np.median(np.diff(series.times_s))) if len(series) > 1 else 0.0


def _blinks(series: FaceSeries) -> list[float]:
    """Return the duration of each blink, seconds."""
    eyes = series.column("eyes")
    known = eyes[~np.isnan(eyes)]
    limit = CLOSING_SHARE * float(np.percentile(known, 75))
    filled = np.where(np.isnan(eyes), np.inf, eyes)
    lengths = []
    for start, end in runs(filled < limit):
        if start == 0 or end >= len(eyes) or not np.isfinite(filled[[start - 1, end]]).all():
            continue
        length = _cross(series, filled, end - 1, limit) - _cross(series, filled, start - 1, limit)
        if length <= LONGEST_BLINK_S:
            lengths.append(length)
    return lengths


def _cross(
    series: FaceSeries, eyes: np.ndarray[tuple[int], np.dtype[np.float64]], left: int, limit: float
) -> float:
    """Return when the lid gap passes `limit` between picture `left` and the next, seconds."""
    part = (limit - eyes[left]) / (eyes[left + 1] - eyes[left])
    return float(series.times_s[left] + part * (series.times_s[left + 1] - series.times_s[left]))


def _range(series: FaceSeries, name: str) -> float:
    values = np.unwrap(series.column(name)[series.seen])
    low, high = np.percentile(values, [5, 95])
    return float(np.degrees(high - low))

"""A track at another frame rate."""

from __future__ import annotations

import math

import numpy as np

from mien.errors import InputError
from mien.face.pose import Array, FaceTrack


def resample(track: FaceTrack, rate_hz: float) -> FaceTrack:
    """Return the track at `rate_hz`, linear between its frames; it covers the same time.

    Resampling twice to one rate is resampling once. Raises `InputError` for a rate outside 1 to 1000.
    """
    if not 1.0 <= rate_hz <= 1000.0:
        raise InputError(f"frame rate {rate_hz} is outside 1 to 1000 frames a second")
    if rate_hz == track.rate_hz or not len(track):
        return FaceTrack(track.weights, track.head, track.gaze, rate_hz, track.start_s)
    count = math.ceil(len(track) * rate_hz / track.rate_hz - 1e-6)
    position = np.minimum(np.arange(count) * track.rate_hz / rate_hz, len(track) - 1.0)
    weights, head, gaze = (_between(values, position) for values in (track.weights, track.head, track.gaze))
    return FaceTrack(weights, head, gaze, rate_hz, track.start_s)


def _between(values: Array, position: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Array:
    low = position.astype(np.intp)
    high = np.minimum(low + 1, len(values) - 1)
    part = (position - low).astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
    out: Array = values[low] + (values[high] - values[low]) * part
    return out

import numpy as np
import pytest

from mien.measure.bearing import bearing
from mien.measure.features import NAMES
from mien.measure.watch import FaceSeries

from .acted import act, series_of


def face(fps: float = 30) -> FaceSeries:
    return series_of(act(6), fps)


def test_blinks_are_counted_and_timed() -> None:
    series = face()
    for at in (1.0, 2.5, 4.0):
        depth = np.clip(1 - np.abs(series.times_s - at) / 0.15, 0, None)
        series.features[:, NAMES.index("eyes")] -= (0.25 * depth).astype(np.float32)
    found = bearing(series)
    assert found is not None
    assert found.blinks == 3
    assert found.blinks_per_minute == pytest.approx(30, abs=1)
    assert found.blink_ms == pytest.approx(300 * (1 - 0.12 / 0.25), abs=15)


def test_long_closed_eyes_are_no_blink() -> None:
    series = face()
    series.features[40:100, NAMES.index("eyes")] = 0.05
    found = bearing(series)
    assert found is not None
    assert (found.blinks, found.blink_ms) == (0, None)


def test_head_ranges_are_in_degrees() -> None:
    series = face()
    series.features[:, NAMES.index("yaw")] = np.radians(np.linspace(-10, 10, len(series)))
    found = bearing(series)
    assert found is not None
    assert found.yaw == pytest.approx(18, abs=0.5)
    assert found.roll == 0
    assert found.jitter == pytest.approx(1e-4)


def test_no_face_has_no_bearing() -> None:
    series = face()
    series.features[:] = np.nan
    assert bearing(series) is None

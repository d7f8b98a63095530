import numpy as np
import pytest

from mien.measure.features import NAMES
from mien.measure.pictures import cadence, repeated
from mien.measure.watch import FaceSeries


def series(times: np.ndarray, change: np.ndarray | None = None) -> FaceSeries:
    n = len(times)
    moving = np.ones(n, np.float32) if change is None else change
    return FaceSeries(times, np.full((n, len(NAMES)), np.nan, np.float32), np.zeros(n, np.float32), moving)


def test_an_even_film() -> None:
    found = cadence(series(np.arange(90) * 1001 / 30000))
    assert found.rate_hz == pytest.approx(30000 / 1001)
    assert found.duration_s == pytest.approx(90 * 1001 / 30000)
    assert (found.variable, found.dropped, found.duplicated) == (False, 0, 0)


def test_rounded_times_are_even() -> None:
    found = cadence(series(np.round(np.arange(300) / 30, 3)))
    assert found.rate_hz == pytest.approx(30, abs=0.01)
    assert (found.variable, found.dropped) == (False, 0)


def test_missing_pictures_are_counted() -> None:
    times = np.delete(np.arange(90) / 25, [10, 40, 41])
    found = cadence(series(times))
    assert found.dropped == 3
    assert found.rate_hz == pytest.approx(25)
    assert found.variable is False


def test_uneven_times_are_variable() -> None:
    times = np.cumsum(np.random.default_rng(0).uniform(0.02, 0.06, 100))
    assert cadence(series(times)).variable is True


def test_repeats_are_counted_only_while_it_moves() -> None:
    change = np.ones(60, np.float32)
    change[[20, 21, 33]] = 0
    assert repeated(change) == 3
    change[40:55] = 0  # the person rests
    assert repeated(change) == 3
    assert repeated(np.zeros(60, np.float32)) == 0


def test_one_picture_and_none() -> None:
    assert cadence(series(np.array([0.5]))).rate_hz == 0
    assert cadence(series(np.zeros(0))).duration_s == 0

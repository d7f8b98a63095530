import numpy as np
import pytest

from mien.face.phone import Phone
from mien.measure.lips import (
    BILABIALS,
    LABIODENTALS,
    articulation,
    closed_at_end,
    closed_below,
    closure_in,
    closures,
    on_grid,
    stillness,
)
from mien.measure.phones import Heard
from mien.measure.sound import HOP_S
from mien.measure.speech import Span
from mien.measure.watch import FaceSeries

from .acted import MOUTH, RATE_HZ, Act, act, series_of


@pytest.fixture(scope="module")
def acted() -> Act:
    return act(6)


def grid_of(series: FaceSeries) -> np.ndarray:
    return on_grid(series, series.in_mouths("aperture"), float(series.times_s[-1]))


def with_aperture(series: FaceSeries, aperture: np.ndarray) -> FaceSeries:
    features = series.features.copy()
    features[:, 0] = aperture * MOUTH
    return FaceSeries(series.times_s, features, series.shake, series.change)


@pytest.mark.parametrize("fps", [25, 30, 60])
def test_closures_are_seen_between_pictures(acted: Act, fps: float) -> None:
    seen = np.array([span.middle_s for span in closures(grid_of(series_of(acted, fps)))])
    made = [(p.start + p.end) / 2 / RATE_HZ for p in acted.phones if p.symbol == "b"][1:]
    inside = [at for at in made if np.abs(seen - at).min() < 0.03]
    assert len(inside) >= len(made) - 2  # one closure after each pause has no opening before it
    assert np.mean([seen[np.abs(seen - at).argmin()] - at for at in inside]) == pytest.approx(0, abs=0.004)


def test_bilabials_that_close_are_recalled(acted: Act) -> None:
    series = series_of(acted, 30)
    found = articulation(series, grid_of(series), Heard(acted.phones, RATE_HZ), BILABIALS)
    assert found.recall == 1.0
    assert found.expected == found.met == sum(p.symbol == "b" for p in acted.phones)
    assert np.median(np.abs(found.timing_ms)) < 8


def test_bilabials_that_stay_open_are_missed(acted: Act) -> None:
    series = series_of(acted, 30)
    open_mouth = with_aperture(series, np.maximum(series.in_mouths("aperture"), 0.12))
    found = articulation(open_mouth, grid_of(open_mouth), Heard(acted.phones, RATE_HZ), BILABIALS)
    assert found.recall == 0.0


def test_closures_that_come_late_are_missed(acted: Act) -> None:
    late = series_of(acted, 30, ahead_ms=-150)
    found = articulation(late, grid_of(late), Heard(acted.phones, RATE_HZ), BILABIALS)
    assert found.recall is not None
    assert found.recall < 0.5


def test_labiodentals_may_leave_a_slit(acted: Act) -> None:
    series = series_of(acted, 30)
    slit = with_aperture(series, np.maximum(series.in_mouths("aperture"), 0.05))
    phones = [Phone("f", p.start, p.end) for p in acted.phones if p.symbol == "b"]
    assert articulation(slit, grid_of(slit), Heard(phones, RATE_HZ), LABIODENTALS).recall == 1.0
    assert articulation(slit, grid_of(slit), Heard([], RATE_HZ), LABIODENTALS).recall is None


def test_closed_is_relative_but_never_wide() -> None:
    assert closed_below(np.array([0.03, 0.2, 0.3] * 50)) == pytest.approx(0.055)
    assert closed_below(np.full(50, 0.3)) == pytest.approx(0.105)


def test_lips_at_rest_are_still_and_closed(acted: Act) -> None:
    series = series_of(acted, 30)
    found = stillness(series, [Span(0.0, 0.3), Span(acted.sound.duration_s - 0.5, acted.sound.duration_s)])
    assert found is not None
    assert (found.closed_share, found.deviation) == (1.0, 0.0)
    assert closed_at_end(series) is True


def test_lips_that_chew_in_a_pause_are_seen(acted: Act) -> None:
    series = series_of(acted, 30)
    chewing = with_aperture(series, 0.15 + 0.1 * np.sin(40 * series.times_s))
    found = stillness(chewing, [Span(1, 3)])
    assert found is not None
    assert found.closed_share < 0.3
    assert found.deviation > 0.05
    assert stillness(series, []) is None


def test_where_no_face_is_nothing_is_interpolated(acted: Act) -> None:
    series = series_of(acted, 30)
    series.features[30:45] = np.nan
    grid = grid_of(series)
    assert np.isnan(grid[round(1.02 / HOP_S) : round(1.46 / HOP_S)]).all()
    assert not np.isnan(grid[: round(0.96 / HOP_S)]).any()
    assert np.isnan(on_grid(series, np.full(len(series), np.nan), 2.0)).all()
    assert closures(np.full(100, np.nan)) == []


def test_the_sound_tells_when_the_lips_were_shut() -> None:
    bright = np.full(1000, -20.0)
    bright[round(1.0 / HOP_S) : round(1.08 / HOP_S)] = -50
    found = closure_in(bright, Span(1.05, 1.12))
    assert (found.start_s, found.end_s) == (pytest.approx(1.0), pytest.approx(1.08))
    assert closure_in(bright, Span(1.5, 1.6)) == Span(1.5, 1.6)  # no dip there
    assert closure_in(np.zeros(0), Span(0, 1)) == Span(0, 1)


def test_the_closure_of_a_neighbour_is_not_taken_for_the_lips() -> None:
    bright = np.full(1000, -20.0)
    bright[round(1.0 / HOP_S) : round(1.08 / HOP_S)] = -50  # the d of "I am a digital"
    stated = Span(0.91, 0.948)
    assert closure_in(bright, stated) == stated

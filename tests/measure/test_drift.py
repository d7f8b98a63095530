import numpy as np
import pytest

from mien.measure.drift import measure_drift
from mien.measure.sound import HOP_S
from mien.measure.speech import Span


def stage(per_ten_minutes_ms: float, length_s: float = 240.0) -> tuple[list[Span], np.ndarray]:
    """Closings every half second or so, and a sound whose dips run away from them."""
    middles = np.cumsum(np.random.default_rng(0).uniform(0.4, 0.7, int(length_s / 0.55)))
    heard = middles * (1 + per_ten_minutes_ms / 1e3 / 600)
    time = np.arange(int((length_s + 20) / HOP_S)) * HOP_S
    bright = np.full(len(time), -20.0)
    for at in heard:
        near = slice(max(0, int((at - 0.1) / HOP_S)), int((at + 0.1) / HOP_S))
        bright[near] -= 25 * np.exp(-(((time[near] - at) / 0.03) ** 2))
    return [Span(at - 0.03, at + 0.03) for at in middles], bright


@pytest.mark.parametrize("drift_ms", [-90.0, 0.0, 25.0])
def test_drift_is_found(drift_ms: float) -> None:
    shut, bright = stage(drift_ms)
    found = measure_drift(shut, bright, [Span(0, 300)], 0.0)
    assert found.value_ms == pytest.approx(drift_ms, abs=2)
    assert found.error_ms is not None
    assert found.error_ms < 15


def test_a_short_film_has_no_drift() -> None:
    shut, bright = stage(0.0, 10)
    found = measure_drift(shut, bright, [Span(0, 300)], 0.0)
    assert found.value_ms is None
    assert "36 over 20 s are needed" in (found.reason or "")


def test_a_drift_that_could_be_anything_is_not_told() -> None:
    shut, bright = stage(0.0, 30)
    noisy = [
        Span(s.start_s + d, s.end_s + d)
        for s, d in zip(shut, 0.06 * np.sin(np.arange(len(shut)) / 3), strict=True)
    ]
    found = measure_drift(noisy, bright, [Span(0, 300)], 0.0)
    assert found.value_ms is None
    assert "some minutes" in (found.reason or "")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.speech.voices.dtw import STEPS, warp


def signal(length: int, seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).standard_normal((length, 4)).astype(np.float32)
    return np.cumsum(noise, axis=0) / 3


def test_a_sequence_matches_itself() -> None:
    frames = signal(80)
    path, cost = warp(frames, frames, np.arange(80), 10)
    assert np.array_equal(path, np.arange(80))
    assert cost < 1e-5


def test_a_stretched_sequence_is_followed() -> None:
    frames = signal(100)
    bent = np.rint(100 * (np.linspace(0, 1, 100) ** 1.4)).clip(0, 99).astype(int)
    path, _ = warp(frames[bent], frames, np.arange(100), 30)
    assert np.abs(path - bent)[5:-5].max() <= 2


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 60), st.integers(0, 20), st.integers(1, 70))
def test_a_path_keeps_its_laws(length: int, seed: int, reach: int) -> None:
    path, cost = warp(signal(length, seed), signal(length, seed + 1), np.arange(length), reach)
    assert (path[0], path[-1]) == (0, length - 1)
    assert set(np.diff(path)) <= set(STEPS)
    assert np.isfinite(cost)
    assert np.abs(path - np.arange(length)).max() <= 2 * reach

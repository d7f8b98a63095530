import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mien.face.guard import Guard, speeds
from mien.face.pose import ARKIT_INDEX


def apply(guard: Guard, face: np.ndarray) -> np.ndarray:
    return guard.apply(face, np.zeros((len(face), 3)), np.zeros((len(face), 2, 2)))[0]


@given(seed=st.integers(0, 999), cut=st.integers(0, 30))
def test_limits_hold_and_do_not_depend_on_blocks(seed, cut):
    face = np.random.default_rng(seed).normal(0.5, 1.0, (30, 52))
    whole, parts = Guard(60.0), Guard(60.0)
    out = apply(whole, face)
    assert out.min() >= 0
    assert out.max() <= 1
    assert np.all(np.abs(np.diff(out, axis=0)) <= speeds()[:52] / 60 + 1e-12)
    assert np.array_equal(np.concatenate([apply(parts, face[:cut]), apply(parts, face[cut:])]), out)
    assert whole.clamped == parts.clamped


def test_it_counts_what_it_changed_and_leaves_the_rest():
    guard, face = Guard(60.0), np.zeros((3, 52))
    face[1, ARKIT_INDEX["jawOpen"]] = 1.5
    out = apply(guard, face)
    assert guard.clamped == {"range": 1, "speed": 1}
    assert np.isclose(out[1, ARKIT_INDEX["jawOpen"]], 9 / 60)
    calm = Guard(60.0)
    slow = np.linspace(0, 1, 200)[:, None] * np.ones(52)
    assert np.array_equal(apply(calm, slow), slow)
    assert calm.clamped == {"range": 0, "speed": 0}

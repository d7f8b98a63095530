import numpy as np
import pytest

from mien.face import constraints
from mien.face.phone import Phone
from mien.face.pose import ARKIT_INDEX
from mien.face.segments import Segment, segments_of

TIMES = np.arange(0, 1.5, 1 / 240)
JAW, CLOSE, FUNNEL = (ARKIT_INDEX[name] for name in ("jawOpen", "mouthClose", "mouthFunnel"))


def words(*parts: tuple[str, float]) -> list[Segment]:
    at, out = 0.5, []
    for symbol, seconds in parts:
        out += segments_of(Phone(symbol, round(at * 48000), round((at + seconds) * 48000)), 48000)
        at += seconds
    return out


def force(kind: str, *parts: tuple[str, float]) -> np.ndarray:
    return constraints.holds(words(*parts), TIMES)[kind]


@pytest.mark.parametrize("seconds", [0.015, 0.03, 0.08, 0.2])
def test_a_closure_is_complete_within_its_phone_and_long_enough_for_25_fps(seconds):
    closed = TIMES[force("bilabial", ("ɑ", 0.1), ("b", seconds), ("ɑ", 0.1)) == 1]
    assert closed[-1] - closed[0] >= 0.04
    assert closed[0] <= 0.6 + 1 / 60
    assert closed[-1] >= 0.6 + seconds - 1 / 60


def test_a_closure_is_open_again_soon():
    on = force("bilabial", ("ɑ", 0.2), ("b", 0.08), ("ɑ", 0.2))
    assert on[TIMES < 0.7 - 0.06].max() == 0
    assert on[TIMES > 0.78 + 0.06].max() == 0


def test_a_bite_follows_a_closure_within_a_frame():
    parts = (("m", 0.08), ("f", 0.08))
    lips, bite = force("bilabial", *parts), force("labiodental", *parts)
    assert bite[TIMES >= 0.58 + 1 / 60][:10].min() == 1
    assert lips[TIMES >= 0.58 + 1 / 60].max() < 1e-9
    assert lips[(TIMES >= 0.51) & (TIMES <= 0.56)].min() == 1


def test_sealed_lips_match_the_jaw_exactly_and_nothing_parts_them():
    face = np.full((3, 52), 0.5)
    face[:, CLOSE] = 0.0
    constraints.apply(face, {"bilabial": np.array([0.0, 0.5, 1.0])}, 0.5)
    constraints.settle(face)
    assert face[2, CLOSE] == face[2, JAW] == 0.5
    assert face[1, CLOSE] == 0.25
    assert face[0, CLOSE] == 0.0
    assert face[2, FUNNEL] == 0.0


def test_teeth_close_for_sibilants():
    face = np.full((2, 52), 0.5)
    constraints.apply(face, {"sibilant": np.array([0.0, 1.0])}, 0.5)
    assert face[0, JAW] == 0.5
    assert face[1, JAW] <= 0.06

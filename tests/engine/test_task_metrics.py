import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.engine.compare import compare
from mien.engine.engine import Port
from mien.engine.metrics import concerned, higher_is_better, metric, names
from mien.engine.search import Budget, Tuning
from mien.engine.task_metrics import MISSED_MS
from mien.errors import InputError
from mien.face.pose import ARKIT_NAMES

RATE = 50
JAW = ARKIT_NAMES.index("jawOpen")


def of(name, reference, value):
    made = metric(name, RATE)
    made.add(np.asarray(reference, np.float32), np.asarray(value, np.float32))
    return made.value


def track(jaw):
    weights = np.zeros((1, len(jaw), len(ARKIT_NAMES)), np.float32)
    weights[0, :, JAW] = jaw
    return weights


def spoken(closed_at, length=100, frames=5):
    jaw = np.full(length, 0.5)
    jaw[closed_at : closed_at + frames] = 0.0
    return track(jaw)


def test_landmarks_are_judged_in_the_picture_plane():
    points = np.zeros((1, 1, 1, 15))
    moved = points + np.tile([3.0, 4.0, 100.0], 5)
    assert of("landmarks", points, moved) == pytest.approx(5.0)
    assert not concerned(metric("landmarks"), np.zeros((1, 1), np.float32))
    assert not concerned(metric("landmarks"), np.zeros(15, np.int64))


@given(st.integers(10, 80), st.integers(-6, 6))
def test_a_closure_that_comes_late_is_as_far_off_as_it_is_late(at, frames):
    assert of("lips-closure", spoken(at), spoken(at + frames)) == pytest.approx(1000 * abs(frames) / RATE)


def test_a_closure_that_is_missing_or_too_many_costs_the_most():
    never = track(np.full(100, 0.5))
    assert of("lips-closure", spoken(20), never) == MISSED_MS
    assert of("lips-closure", never, spoken(20)) == MISSED_MS
    assert of("lips-closure", never, never) == 0


def test_the_gap_is_in_millimetres_and_trembling_is_what_is_added():
    still, odd = np.full(100, 0.5), 0.5 + 0.02 * (-1.0) ** np.arange(100)
    assert of("lips-aperture", track(still), track(still + 0.1)) == pytest.approx(3.45, abs=0.01)
    assert of("lips-jitter", track(still), track(still + 0.1)) == pytest.approx(0, abs=1e-4)
    assert of("lips-jitter", track(still), track(odd)) > 0.3
    assert of("lips-jitter", track(odd), track(still)) == 0


@pytest.mark.parametrize("name", ["lips-closure", "lips-aperture", "lips-jitter"])
def test_only_a_face_track_has_lips(name):
    assert concerned(metric(name, RATE), spoken(3))
    assert not concerned(metric(name, RATE), np.zeros((1, 51), np.float32))
    assert not higher_is_better(name)


def test_a_rate_must_be_given_where_time_counts():
    with pytest.raises(InputError, match="--rate-hz"):
        metric("lips-closure")
    with pytest.raises(InputError, match="--rate-hz"):
        metric("word-error")


def test_metrics_of_other_folders_come_by_name():
    assert "word-error" in names()
    with pytest.raises(InputError, match="word-error"):
        metric("word-eror")


class Face:
    """An engine of two outputs: five points, and how sure it is."""

    inputs = (Port("x", np.dtype(np.float32), (15,)),)
    outputs = (Port("points", np.dtype(np.float32), (15,)), Port("sure", np.dtype(np.float32), (1,)))

    def __init__(self, shift):
        self.metadata = {}
        self._shift = shift

    def run(self, stop=None, /, **inputs):
        return {"points": inputs["x"] + self._shift, "sure": np.array([self._shift * 1e9], np.float32)}


def test_a_search_judges_only_the_outputs_that_the_metric_is_for():
    samples = [{"x": np.zeros(15, np.float32)}] * 2
    assert Tuning(Face(0), samples, "landmarks", None).score(Face(1.0)) == pytest.approx(np.sqrt(2))
    with pytest.raises(InputError, match="no output is for lips-aperture"):
        Tuning(Face(0), samples, "lips-aperture", None).score(Face(1.0))
    assert Budget.parse("landmarks=1.5", None).holds(1.41)


def test_a_comparison_leaves_out_what_a_metric_can_not_judge():
    samples = [{"x": np.zeros(15, np.float32)}]
    found = compare(Face(0), Face(1.0), samples, ("max-abs", "landmarks"))
    assert set(found.outputs["sure"]) == {"max-abs"}
    assert found.worst("landmarks") == pytest.approx(np.sqrt(2))

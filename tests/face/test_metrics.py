import math

import numpy as np

from mien.face import FaceTrack
from mien.face.metrics import aperture_mm, measure, pauses
from mien.face.phone import Phone
from mien.face.pose import weights


def still(named: dict[str, float], frames: int = 120) -> FaceTrack:
    rows = np.repeat(weights(named)[None], frames, axis=0)
    return FaceTrack(rows, np.zeros((frames, 3), np.float32), np.zeros((frames, 2, 2), np.float32))


PHONES = [
    Phone("b", 0, 100),
    Phone("f", 100, 200),
    Phone("a", 200, 300),
    Phone("", 300, 1000),
    Phone("m", 1000, 1100),
]


def test_an_open_mouth_is_found_out():
    report = measure(still({"jawOpen": 0.3}), PHONES, 1000)
    assert report.closure_recall == 0.0
    assert report.contact_recall == 0.0
    assert report.still_pauses == 0.0


def test_sealed_lips_count_as_closed():
    report = measure(still({"jawOpen": 0.3, "mouthClose": 0.3}), PHONES, 1000)
    assert report.closure_recall == 1.0
    assert report.still_pauses == 1.0


def test_lips_that_quiver_in_a_pause_are_found_out():
    track = still({})
    track.weights[::2, 18:30] = 0.01
    assert measure(track, PHONES, 1000).still_pauses == 0.0
    assert measure(track, PHONES, 1000).jitter_mm > 0.01


def test_nothing_to_judge_is_nan():
    assert math.isnan(measure(still({}), [Phone("a", 0, 100)], 1000).closure_recall)
    assert math.isnan(measure(FaceTrack.empty(), [], 1000).still_pauses)


def test_gaps_count_as_pauses():
    found = list(pauses([Phone("a", 500, 600), Phone("a", 900, 1000), Phone("", 1000, 1100)], 1000))
    assert found == [(0.0, 0.5), (0.6, 0.9)]


def test_aperture_grows_with_the_jaw():
    assert aperture_mm(still({"jawOpen": 0.4}, 1))[0] > 10 > 0 > aperture_mm(still({}, 1))[0]

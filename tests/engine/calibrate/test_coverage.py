from mien.engine.calibrate.coverage import Peaks, escapes, report
from mien.engine.calibrate.ranges import Range


def peaks(*extremes):
    made = Peaks()
    for sample, (low, high) in enumerate(extremes):
        made.add(low, high, sample)
    return made


def test_samples_are_counted_by_the_octave_they_reach():
    found = peaks((-0.3, 0.4), (-0.9, 0.1), (0.0, 3.0), (-0.7, 0.6))
    assert found.octaves == {-1: 1, 0: 2, 2: 1}
    assert (found.at_top, found.furthest) == (1, 2)


def test_the_first_of_equal_samples_is_named():
    assert peaks((0.0, 1.0), (0.0, 1.0)).highest == (1.0, 0)
    assert peaks((-2.0, 1.0), (-2.0, 0.0)).lowest == (-2.0, 0)


def test_few_samples_and_lone_peaks_are_told():
    lines = report({"a": peaks((0, 1), (0, 1), (0, 30))}, 3, [])
    assert lines[0].startswith("3 calibration samples; under 500")
    assert lines[1].startswith("only sample 2 reaches the upper half of 'a'")


def test_enough_samples_that_agree_leave_nothing_to_say():
    assert report({"a": peaks(*[(-1.0, 0.9)] * 500)}, 500, []) == []


def test_held_out_data_that_leaves_the_range_is_told_furthest_first():
    ranges = {"a": Range(-1.0, 1.0), "b": Range(0.0, 4.0), "c": Range(0.0, 1.0)}
    left = escapes(ranges, {"a": peaks((-1.5, 1.0)), "b": peaks((0.0, 8.0)), "c": peaks((0.0, 1.0))})
    assert [(e.tensor, e.value, e.excess) for e in left] == [("b", 8.0, 1.0), ("a", -1.5, 0.25)]
    assert "held-out sample 0 drives 'b' to 8, 100.0 % out of its range" in report({}, 900, left)

import json
from dataclasses import fields

from mien.measure.report import Report

PLAIN = Report("a.mp4", 512, 512, 300, 30.0, False, 0, 0, 10.0)


def test_json_has_every_field_and_no_nan() -> None:
    report = Report(**{**{f.name: getattr(PLAIN, f.name) for f in fields(PLAIN)}, "jitter": float("nan")})
    found = json.loads(report.to_json())
    assert list(found) == [field.name for field in fields(Report)]
    assert found["jitter"] is None
    assert found["frames"] == 300


def test_names_that_scripts_rely_on() -> None:
    names = {field.name for field in fields(Report)}
    assert {
        "av_offset_ms",
        "av_confidence",
        "av_drift_ms_per_10min",
        "closure_recall",
        "closure_timing_error_ms",
        "labiodental_recall",
        "closed_in_silence",
        "closed_at_end",
        "jitter",
        "dropped_frames",
        "duplicated_frames",
    } <= names

from dataclasses import replace

import pytest

from mien.errors import InputError
from mien.measure.verdict import GOALS, advice, failures, limits

from .test_report import PLAIN

GOOD = replace(PLAIN, face_share=1.0, av_offset_ms=3.0, av_offset_error_ms=4.0, closed_in_silence=1.0)


def test_what_holds_does_not_fail() -> None:
    assert failures(replace(GOOD, av_offset_ms=-14.0), {"av_offset_ms": 15}) == []


@pytest.mark.parametrize("offset", [-16.0, 16.0])
def test_an_offset_fails_on_both_sides(offset: float) -> None:
    (line,) = failures(replace(GOOD, av_offset_ms=offset), {"av_offset_ms": 15})
    assert line == f"av_offset_ms is {offset:g}; wanted at most 15"


def test_what_is_not_known_fails_with_its_reason() -> None:
    report = replace(PLAIN, reasons={"closure_recall": "no face is seen"})
    assert failures(report, {"closure_recall": 0.9}) == [
        "closure_recall is no face is seen; wanted at least 0.9"
    ]


def test_a_limit_on_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'av_offset_ms'"):
        limits({"av_offset": 3})


def test_given_limits_replace_goals() -> None:
    assert limits({"jitter": 0.5})["jitter"].value == 0.5
    assert limits({})["jitter"] == GOALS["jitter"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "in step"),
        ({"av_offset_ms": 40.0}, "leads the sound by 40 ms: play the sound 40 ms earlier"),
        ({"av_offset_ms": -40.0}, "lags the sound by 40 ms: play the sound 40 ms later"),
        ({"av_offset_ms": 25.0, "av_offset_error_ms": 20.0}, "measure a longer film"),
        ({"av_offset_ms": None, "reasons": {"av_offset_ms": "the film has no sound"}}, "has no sound"),
        ({"face_share": 0.0}, "no face was found"),
        ({"closed_in_silence": 0.2}, "open in pauses"),
        ({"closure_recall": 0.5}, "p, b, m"),
        ({"duplicated_frames": 50}, "repeated or missing"),
    ],
)
def test_advice(changes: dict[str, object], words: str) -> None:
    assert words in advice(replace(GOOD, **changes))  # type: ignore[arg-type]

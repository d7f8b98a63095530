import numpy as np
import pytest

from mien.face.coarticulation import activity, mouth
from mien.face.phone import Phone
from mien.face.pose import ARKIT_INDEX
from mien.face.segments import Run, Segment, segments_of

JAW, PUCKER = ARKIT_INDEX["jawOpen"], ARKIT_INDEX["mouthPucker"]
TIMES = np.arange(0, 2, 1 / 60)


def words(*parts: tuple[str, float], stress: int = 1) -> list[Segment]:
    at, out = 0.5, []
    for symbol, seconds in parts:
        out += segments_of(Phone(symbol, round(at * 48000), round((at + seconds) * 48000), stress), 48000)
        at += seconds
    return out


def at(segments: list[Segment], time_s: float, unit: int) -> float:
    return float(mouth(segments, TIMES, 0.5)[round(time_s * 60), unit])


def test_rounding_is_prepared_during_the_consonants_before():
    rounded = words(("ɑ", 0.15), ("t", 0.09), ("u", 0.15))
    spread = words(("ɑ", 0.15), ("t", 0.09), ("i", 0.15))
    assert at(rounded, 0.70, PUCKER) > 0.4
    assert at(spread, 0.70, PUCKER) < 0.05


def test_rounding_leads_the_vowel_by_about_100_ms():
    pucker = mouth(words(("ɑ", 0.2), ("t", 0.1), ("u", 0.2)), TIMES, 0.5)[:, PUCKER]
    onset = TIMES[np.argmax(pucker > 0.1 * pucker.max())]
    assert 0.06 <= 0.8 - onset <= 0.15


def test_short_vowels_undershoot():
    long, short = words(("t", 0.06), ("ɑ", 0.2), ("t", 0.06)), words(("t", 0.04), ("ɑ", 0.05), ("t", 0.04))
    assert mouth(short, TIMES, 0.5)[:, JAW].max() < 0.8 * mouth(long, TIMES, 0.5)[:, JAW].max()


def test_energy_and_stress_open_the_mouth():
    phrase = words(("t", 0.06), ("ɑ", 0.12), ("t", 0.06))
    assert mouth(phrase, TIMES, 1.0)[:, JAW].max() > 1.3 * mouth(phrase, TIMES, 0.0)[:, JAW].max()
    stressed = words(("t", 0.06), ("ɑ", 0.12), ("t", 0.06), stress=2)
    assert mouth(stressed, TIMES, 0.5)[:, JAW].max() > mouth(phrase, TIMES, 0.5)[:, JAW].max()


def test_no_step_between_frames():
    phrase = words(*((s, 0.07) for s in "hɛloʊwɜld"))
    assert np.abs(np.diff(mouth(phrase, TIMES, 0.5), axis=0)).max() < 0.25


@pytest.mark.parametrize("gap_s", [0.13, 0.2, 0.3, 1.0])
def test_the_middle_of_every_pause_is_silent(gap_s):
    runs = [Run(0.3, 0.6), Run(0.6 + gap_s, 1.9)]
    active = activity(runs, TIMES)
    share = (TIMES - 0.6) / gap_s
    middle = (share >= 0.34) & (share <= 0.66)
    assert middle.any()
    assert np.all(active[middle] == 0)
    assert np.all(active[(TIMES > 0.33) & (TIMES < 0.57)] == 1)


def test_the_mouth_closes_before_a_clip_ends():
    assert activity([Run(0.2, 1.0)], TIMES, 1.0)[58:].max() == 0

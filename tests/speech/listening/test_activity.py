import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import InputError
from mien.speech.listening.activity import HOP, HOP_S, Change, Thresholds, VoiceActivity

S, P, R = Change.STARTED, Change.PAUSED, Change.RESUMED


def run(probabilities: list[float], thresholds: Thresholds | None = None) -> tuple[VoiceActivity, list]:
    activity = VoiceActivity(thresholds or Thresholds())
    return activity, [activity.step(p) for p in probabilities]


@pytest.mark.parametrize(
    ("probabilities", "changes"),
    [
        ([0.6] * 3, [None, None, S]),
        ([0.9] * 2, [None, S]),  # what is surely speech is believed sooner
        ([0.9, 0.6, 0.6], [None, None, S]),
        ([0.6, 0.6, 0.1, 0.9, 0.1, 0.9], [None] * 6),  # clicks
        ([0.6, 0.6, 0.4, 0.6], [None, None, None, S]),  # between the thresholds nothing changes
        ([0.6] * 3 + [0.1] * 3, [None, None, S, None, None, P]),
        ([0.6] * 3 + [0.1] * 4, [None, None, S, None, None, P, None]),  # one pause, told once
        ([0.6] * 3 + [0.1] * 2 + [0.6], [None, None, S, None, None, None]),
        ([0.6] * 3 + [0.1] * 3 + [0.6] * 2, [None, None, S, None, None, P, None, R]),
        ([0.6] * 3 + [0.1] * 3 + [0.9, 0.1, 0.9], [None, None, S, None, None, P, None, None, None]),
    ],
)
def test_changes(probabilities, changes):
    assert run(probabilities)[1] == changes


def test_places_are_those_of_the_speech():
    activity, _ = run([0.1] * 5 + [0.9] * 4 + [0.1] * 3)
    assert (activity.first, activity.voiced_end, activity.voiced) == (5, 9, 4)
    for probability in [0.1, 0.9, 0.9]:
        activity.step(probability)
    assert (activity.resumed, activity.voiced_end, activity.voiced) == (13, 15, 6)


@given(st.lists(st.sampled_from([0.0, 0.3, 0.4, 0.6, 1.0]), max_size=80))
def test_changes_alternate(probabilities):
    activity, changes = run(probabilities)
    told = [change for change in changes if change]
    assert told == [S, *([P, R] * len(told))][: len(told)]
    assert activity.speaking == bool(told)
    assert 0 <= activity.first <= activity.voiced_end <= activity.now


@pytest.mark.parametrize(
    "wrong",
    [{"speech": 1.0}, {"sure": 1.1}, {"silence": 0.6}, {"silence": 0.0}, {"pause_s": 0.0}, {"start_s": 11.0}],
)
def test_thresholds_that_can_not_be(wrong):
    with pytest.raises(InputError, match=str(next(iter(wrong.values())))):
        Thresholds(**wrong)


def test_speech_is_heard_where_it_is(vad, at_16k):
    stream = vad.fresh()
    hops = at_16k.samples[: len(at_16k) // HOP * HOP].reshape(-1, HOP)
    likely = np.array([stream.probability(hop) for hop in hops])
    times = np.arange(len(likely)) * HOP_S
    assert likely[(times > 1.3) & (times < 4.4)].mean() > 0.9
    assert likely[times < 1.1].max() < 0.3


def test_streams_do_not_disturb_each_other(vad, at_16k):
    hops = at_16k.samples[16_000 : 16_000 + 40 * HOP].reshape(-1, HOP)
    alone = vad.fresh()
    expected = [alone.probability(hop) for hop in hops]
    one, other = vad.fresh(), vad.fresh()
    mixed = [(other.probability(hop[::-1].copy()), one.probability(hop))[1] for hop in hops]
    assert mixed == expected


@pytest.mark.parametrize("kind", ["noise", "hum", "clicks", "chord"])
def test_what_is_no_voice_starts_nothing(vad, kind):
    time = np.arange(3 * 16_000) / 16_000
    rng = np.random.default_rng(5)
    sounds = {
        "noise": 0.1 * rng.standard_normal(len(time)),
        "hum": 0.3 * np.sin(2 * np.pi * 50 * time),
        "clicks": np.where(np.arange(len(time)) % 4_000 < 20, 0.9, 0.0),
        "chord": 0.1 * sum(np.sin(2 * np.pi * f * time) for f in (262, 330, 392)),
    }
    stream, activity = vad.fresh(), VoiceActivity(Thresholds())
    hops = sounds[kind].astype(np.float32)[: len(time) // HOP * HOP].reshape(-1, HOP)
    assert [c for hop in hops if (c := activity.step(stream.probability(hop)))] == []

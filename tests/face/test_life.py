"""Blinks, gaze, head, breathing and emphasis: what moves while nothing is said, and how people do it."""

import numpy as np

from mien.face.blink import MIN_INTERVAL_S, Blinker
from mien.face.breathing import PITCH, breath
from mien.face.feeling import Look
from mien.face.gaze import VERGENCE, Gazer, aim, lids
from mien.face.head import Head
from mien.face.phone import Phone
from mien.face.pose import ARKIT_INDEX
from mien.face.prosody import Prosody
from mien.face.segments import segments_of

TIMES = np.arange(0, 600, 1 / 60)
SPEECH = ((TIMES % 4) > 0.8).astype(float)


def onsets(closure: np.ndarray) -> np.ndarray:
    return TIMES[1:][(closure[1:] > 0.5) & (closure[:-1] <= 0.5)]


def test_blinks_have_human_statistics():
    starts = np.concatenate([onsets(Blinker(seed).advance(TIMES, SPEECH)) for seed in range(3)])
    assert 15 <= len(starts) / 30 <= 24
    one = onsets(Blinker(1).advance(TIMES, SPEECH))
    gaps = np.diff(one)
    assert gaps.std() > 0.5 * gaps.mean() * 0.6
    assert np.mean(gaps < MIN_INTERVAL_S) < 0.2


def test_a_blink_lasts_150_to_300_ms_closes_fully_and_faster_than_it_opens():
    closure = Blinker(2).advance(TIMES[:600], np.zeros(600))
    assert closure[0] == 0
    first = np.flatnonzero(closure > 0)
    first = first[: np.argmax(np.diff(first, append=10**6) > 1) + 1]
    assert 0.15 <= len(first) / 60 <= 0.31
    assert closure[first].max() == 1
    assert np.argmax(closure[first]) < len(first) / 2


def test_blinks_and_gaze_do_not_depend_on_blocks():
    whole, parts = Blinker(4).advance(TIMES[:900], SPEECH[:900]), Blinker(4)
    cut = [parts.advance(TIMES[i : i + 7], SPEECH[i : i + 7]) for i in range(0, 900, 7)]
    assert np.array_equal(np.concatenate(cut)[:900], whole)


def test_gaze_rests_on_the_viewer_and_moves_in_saccades():
    eyes, _ = Gazer(1).advance(TIMES[:7200], SPEECH[:7200])
    assert np.median(np.abs(eyes)) < 0.02
    speed = np.abs(np.diff(eyes[:, 0])) * 60
    assert np.mean(speed < 1e-9) > 0.8
    assert 0.5 < speed.max() < 12


def test_a_look_is_followed_and_left():
    gazer = Gazer(1)
    gazer.look(1.0, Look(0.3, -0.1))
    gazer.look(3.0, None)
    eyes, interest = gazer.advance(TIMES[:300], np.ones(300))
    assert abs(eyes[100, 0] - 0.3) < 0.06
    assert abs(eyes[30, 0]) < 0.06
    assert abs(eyes[240, 0]) < 0.06
    assert interest[100].tolist() == [0.3, -0.1]


def test_eyes_hold_their_target_while_the_head_turns_and_converge():
    gaze = aim(np.zeros((1, 2)), np.array([[0.1, 0.05, 0.2]]))
    assert np.allclose(gaze[0], [[-0.1 - VERGENCE, -0.05], [-0.1 + VERGENCE, -0.05]])


def test_lids_follow_the_eyes():
    weights = lids(np.array([[[0.131, 0.0995], [0.131, 0.0995]]]))
    assert np.isclose(weights[ARKIT_INDEX["eyeLookOutLeft"]][0], 0.5)
    assert np.isclose(weights[ARKIT_INDEX["eyeLookInRight"]][0], 0.5)
    assert np.isclose(weights[ARKIT_INDEX["eyeLookDownLeft"]][0], 0.5)
    assert weights[ARKIT_INDEX["eyeLookInLeft"]][0] == weights[ARKIT_INDEX["eyeLookUpRight"]][0] == 0


def test_the_head_moves_smoothly_and_more_when_speaking():
    still, none = np.zeros(3600), np.zeros((3600, 2))
    args = (none, still, np.zeros((3600, 3)))
    rest = Head(0.5, 60, 1).advance(TIMES[:3600], still, *args)
    talk = Head(0.5, 60, 1).advance(TIMES[:3600], still + 1, *args)
    assert 0.003 < rest[:, 0].std() < 0.02
    assert talk[:, 0].std() > 2 * rest[:, 0].std()
    assert np.abs(talk).max() < 0.15
    assert np.abs(np.diff(talk, axis=0)).max() * 60 < 0.4
    assert np.abs(np.diff(talk, 2, axis=0)).max() * 3600 < 4


def test_the_head_turns_after_the_eyes_towards_what_they_look_at():
    interest = np.zeros((300, 2))
    interest[60:, 0] = 0.4
    head = Head(0.0, 60, 1).advance(TIMES[:300], np.zeros(300), interest, np.zeros(300), np.zeros((300, 3)))
    still = Head(0.0, 60, 1).advance(
        TIMES[:300], np.zeros(300), interest * 0, np.zeros(300), np.zeros((300, 3))
    )
    turn = head[:, 0] - still[:, 0]
    assert turn[66] < 0.05
    assert abs(turn[200] - 0.18) < 0.01
    assert turn.max() < 0.185


def test_breath_is_slow_and_small():
    pitch = breath(TIMES[:3600], 1)
    assert pitch.min() >= -PITCH
    assert pitch.max() <= 0
    assert 11 <= np.sum((pitch[1:] < -PITCH / 2) & (pitch[:-1] >= -PITCH / 2)) <= 17


def test_beats_fall_on_stressed_vowels_with_room_between_them():
    prosody = Prosody(0.5, 3)
    phones = [Phone("ɑ" if i % 2 else "t", i * 4800, (i + 1) * 4800, 2) for i in range(200)]
    prosody.feed([segment for phone in phones for segment in segments_of(phone, 48000)])
    times = np.array([beat.time for beat in prosody._beats])
    assert 6 <= len(times) <= 32
    assert np.diff(times).min() >= 0.6
    brow, nod = prosody.at(TIMES[:1200])
    assert 0.05 < brow.max() < 0.4
    assert 0.005 < nod.max() < 0.06


def test_emphasis_always_shows():
    prosody = Prosody(0.5, 3)
    prosody.emphasise(2.0, 1.0)
    brow, nod = prosody.at(TIMES[:300])
    assert brow[123] > 0.4
    assert nod[129] > 0.05
    assert brow[:110].max() == 0

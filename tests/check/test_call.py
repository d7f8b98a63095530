import base64
import json

import numpy as np
import pytest

from mien.check.call import RATE_HZ, Call, _take, offset
from mien.face.pose import ARKIT_NAMES, FaceTrack
from mien.serve.realtime.frames import pack

SECONDS = 10


def call(shift_s: float = 0.0, late_s: float = 0.0) -> Call:
    """Return a call whose mouth is open where its sound is loud, moved by `shift_s`, and comes `late_s`."""
    rng = np.random.default_rng(3)
    steps = np.repeat(rng.choice([0.0, 0.3, 0.6, 1.0], SECONDS * 6), 10)
    opening = np.convolve(steps, np.hanning(9) / np.hanning(9).sum(), "same").astype(np.float32)
    loudness = np.interp(np.arange(SECONDS * RATE_HZ) / RATE_HZ, np.arange(len(opening)) / 60, opening)
    sound = (0.3 * loudness * rng.standard_normal(len(loudness))).astype(np.float32)
    weights = np.zeros((len(opening), 52), np.float32)
    weights[:, ARKIT_NAMES.index("jawOpen")] = opening
    still = np.zeros((len(opening), 3), np.float32)
    track = FaceTrack(weights, still, np.zeros((len(opening), 2, 2), np.float32), 60, 0.0)
    made = Call(first_ms=1.0, sounds=[(0.0, 1000, sound)])
    for at in range(0, len(track), 30):
        part = FaceTrack(weights[at : at + 30], still[at : at + 30], track.gaze[at : at + 30], 60, 0.0)
        place = 1000 + round((at / 60 + shift_s) * RATE_HZ)
        made.faces.append((at / 60 + late_s, place, part))
    return made


@pytest.mark.parametrize("shift_s", [0.0, 0.1, -0.1])
def test_a_mouth_that_lags_or_leads_is_measured(shift_s):
    measured, straight = offset(call(shift_s)), offset(call())
    assert measured.value_ms is not None
    assert measured.value_ms - straight.value_ms == pytest.approx(-1000 * shift_s, abs=15)
    assert abs(straight.value_ms) < 25


def test_a_face_that_comes_late_is_not_shown():
    assert call(late_s=-0.1).faceless_share == 0.0
    assert call(late_s=0.25).faceless_share == pytest.approx(0.5, abs=0.05)
    assert call(late_s=9.0).faceless_share == 1.0


def test_sound_that_comes_late():
    part = np.zeros(RATE_HZ, np.float32)
    made = Call(sounds=[(5.0, 0, part), (6.2, RATE_HZ, part), (6.9, 2 * RATE_HZ, part)])
    assert made.late_ms == pytest.approx(200)
    assert made.sound_s == 3.0
    assert Call().late_ms == 0.0
    assert len(Call().heard) == 0


def test_pauses_between_answers_are_silent():
    part = np.ones(100, np.float32)
    made = Call(sounds=[(0.0, 50, part), (1.0, 250, part)])
    assert made.heard.tolist() == [1.0] * 100 + [0.0] * 100 + [1.0] * 100


def test_events_of_the_protocol_are_taken():
    made = Call()
    track = FaceTrack(
        np.full((2, 52), 0.5, np.float32),
        np.zeros((2, 3), np.float32),
        np.zeros((2, 2, 2), np.float32),
        60,
        0.0,
    )
    rows = base64.b64encode(pack(track)).decode()
    sound = base64.b64encode(np.full(3, 16384, "<i2").tobytes()).decode()
    for event in (
        {"type": "mien.face.delta", "start": 400, "frames": rows},
        {"type": "response.output_audio.delta", "delta": sound, "mien": {"start": 400}},
        {"type": "response.output_audio_transcript.delta", "delta": "Hello."},
        {"type": "error", "error": {"message": "too late"}},
        {"type": "session.updated"},
    ):
        _take(made, json.loads(json.dumps(event)), 0.0)
    assert made.first_ms is not None
    assert made.sounds[0][1:][0] == 400
    assert made.sounds[0][2].tolist() == [0.5] * 3
    assert (made.frames, made.words, made.error) == (2, "Hello.", "too late")

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.errors import InputError
from mien.face import ARKIT_NAMES, Animator, FaceTrack
from mien.face.feeling import EMOTIONS, Cue, Emotion, Look
from mien.face.metrics import aperture_mm, measure
from mien.face.phone import Phone

CLOCK = 22050
SYMBOLS = [*"pbmfvtdnszkgθʃiueoɑæəɪʊɛlɹwjh", "aɪ", "oʊ", "tʃ", "pʰ", "ɕ", "y", "", ""]
MOUTH = [i for i, name in enumerate(ARKIT_NAMES) if name.startswith(("jaw", "mouth", "tongue"))]


def speech(symbols: list[tuple[str, float]], start_s: float = 0.2) -> list[Phone]:
    out, at = [], round(start_s * CLOCK)
    for i, (symbol, seconds) in enumerate(symbols):
        length = round(seconds * CLOCK)
        out.append(Phone(symbol, at, at + length, stress=i % 3))
        at += length
    return out


def animate(phones: list[Phone], end_s: float, **options: object) -> FaceTrack:
    animator = Animator(CLOCK, **options)
    animator.feed(phones)
    return animator.finish(round(end_s * CLOCK))


def same(a: FaceTrack, b: FaceTrack) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("weights", "head", "gaze"))


phones_strategy = st.lists(
    st.tuples(st.sampled_from(SYMBOLS), st.floats(0.02, 0.4)), min_size=1, max_size=25
).map(speech)


@settings(max_examples=40, deadline=None)
@given(
    phones=phones_strategy,
    cuts=st.lists(st.tuples(st.integers(1, 4), st.floats(0, 1)), min_size=1, max_size=6),
)
def test_frames_do_not_depend_on_how_the_stream_is_cut(phones, cuts):
    end = phones[-1].end + CLOCK // 5
    cues = [Cue(0, Emotion("happy", 0.7)), Cue(phones[0].end, Emotion("sad"), Look(0.2, 0.1), 0.8)]
    whole, animator = Animator(CLOCK, seed=3), Animator(CLOCK, seed=3)
    for cue in cues:
        whole.cue(cue)
        animator.cue(cue)
    whole.feed(phones)
    parts, known, rest = [], 0, phones
    for count, share in itertools.cycle(cuts):
        animator.feed(rest[:count])
        rest = rest[count:]
        if not rest:
            break
        known += int(share * (rest[0].start - known))
        parts.append(animator.advance(known))
    parts.append(animator.finish(end))
    assert same(FaceTrack.join(parts), whole.finish(end))


@settings(max_examples=40, deadline=None)
@given(phones=phones_strategy, emotion=st.sampled_from(EMOTIONS), energy=st.sampled_from([0.0, 0.5, 1.0]))
def test_contacts_and_silence_hold_for_any_speech_and_mood(phones, emotion, energy):
    track = animate(phones, phones[-1].end / CLOCK + 0.5, mood=Emotion(emotion), energy=energy)
    report = measure(track, [*phones, Phone("", phones[-1].end, phones[-1].end + CLOCK // 2)], CLOCK)
    assert math.isnan(report.closure_recall) or report.closure_recall == 1.0
    assert math.isnan(report.contact_recall) or report.contact_recall >= 0.95
    assert report.still_pauses == 1.0
    assert track.weights.min() >= 0.0
    assert track.weights.max() <= 1.0


def test_one_long_run_of_fast_speech_keeps_its_closures():
    symbols = [(s, 0.045) for s in "bɑpiməfuvætʃɪmpɹbləm" * 12]
    phones = speech(symbols)
    report = measure(animate(phones, phones[-1].end / CLOCK), phones, CLOCK)
    assert report.closure_recall == 1.0
    assert report.contact_recall >= 0.95


def test_lips_are_closed_and_still_without_any_speech_but_the_face_lives():
    track = animate([], 8.0)
    assert np.all(track.weights[:, MOUTH] == 0.0)
    blink = track.weights[:, ARKIT_NAMES.index("eyeBlinkLeft")]
    assert blink[0] == 0.0
    assert blink[:150].max() == 1.0
    assert np.ptp(track.head[:60], axis=0).max() > 0.001
    assert np.ptp(track.gaze[:90].reshape(90, 4), axis=0).max() > 0.001


def test_lips_end_closed_even_when_the_clip_ends_with_the_last_vowel():
    phones = speech([("h", 0.06), ("ɑ", 0.4)])
    track = animate(phones, phones[-1].end / CLOCK)
    assert aperture_mm(track).max() > 5.0
    assert np.all(track.weights[-1, MOUTH] == 0.0)
    assert np.array_equal(track.weights[-1, MOUTH], track.weights[-2, MOUTH])


def test_the_mouth_opens_before_the_sound_and_without_a_snap():
    phones = speech([("ɑ", 0.3)], start_s=1.0)
    track = animate(phones, 2.0)
    gap = aperture_mm(track)
    assert gap[60] > gap[0]
    assert np.array_equal(gap[:50], np.full(50, gap[0]))
    assert np.abs(np.diff(gap)).max() < 4.0


def test_frames_stand_on_the_clock():
    animator = Animator(48000)
    first = animator.advance(48000)
    rest = animator.finish(96000)
    assert len(first) == math.floor((1.0 - animator.look_ahead_s) * 60) + 1
    assert rest.start_s == len(first) / 60
    assert len(first) + len(rest) == 120


def test_a_frame_waits_no_longer_than_the_look_ahead():
    phones = speech([(s, 0.1) for s in "hɛlow"], start_s=0.0)
    animator = Animator(CLOCK)
    animator.feed(phones)
    track = animator.advance(phones[-1].end)
    assert track.end_s >= phones[-1].end / CLOCK - animator.look_ahead_s


def test_hours_do_not_grow_the_state():
    animator = Animator(CLOCK)
    for i in range(400):
        at = i * CLOCK
        animator.cue(Cue(at, Emotion(EMOTIONS[i % 7]), emphasis=0.5))
        animator.feed([Phone("m", at, at + 2000), Phone("ɑ", at + 2000, at + 9000, 2)])
        animator.advance(at + CLOCK)
    speech_state = animator._speech
    assert len(speech_state.segments) < 12
    assert len(speech_state.runs) < 8
    assert len(animator._prosody._beats) < 12
    assert len(animator._feelings._changes) < 4
    assert len(animator._gazer._looks) < 4


def test_the_same_seed_gives_the_same_face_and_another_seed_another():
    phones = speech([("m", 0.1), ("ɑ", 0.3)])
    assert same(animate(phones, 4.0, seed=5), animate(phones, 4.0, seed=5))
    assert not same(animate(phones, 4.0, seed=5), animate(phones, 4.0, seed=6))


def test_a_late_cue_takes_effect_without_a_jump():
    animator = Animator(CLOCK)
    before = animator.advance(3 * CLOCK)
    animator.cue(Cue(0, Emotion("angry")))
    after = animator.finish(5 * CLOCK)
    brow = ARKIT_NAMES.index("browDownLeft")
    assert abs(after.weights[0, brow] - before.weights[-1, brow]) < 0.2
    assert after.weights[-1, brow] > 0.5


def test_misuse_is_refused():
    animator = Animator(CLOCK)
    animator.feed(speech([("ɑ", 0.1)]))
    with pytest.raises(InputError, match="in order"):
        animator.feed(speech([("ɑ", 0.1)]))
    animator.advance(CLOCK)
    with pytest.raises(InputError, match="in order"):
        animator.feed([Phone("ɑ", CLOCK - 1, CLOCK)])
    with pytest.raises(InputError, match="forward"):
        animator.advance(10)
    with pytest.raises(InputError, match="before"):
        animator.finish(10)
    with pytest.raises(InputError, match="before its start"):
        animator.feed([Phone("ɑ", CLOCK + 10, CLOCK + 5)])
    animator.cue(Cue(5 * CLOCK))
    with pytest.raises(InputError, match="cues in order"):
        animator.cue(Cue(CLOCK))
    animator.finish(2 * CLOCK)
    with pytest.raises(InputError, match="finished"):
        animator.feed([])


@pytest.mark.parametrize(
    "options", [{"clock_hz": 0}, {"clock_hz": 1, "energy": 2}, {"clock_hz": 1, "rate_hz": 0}]
)
def test_options_are_checked(options):
    with pytest.raises(InputError):
        Animator(**options)

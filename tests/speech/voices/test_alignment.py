import numpy as np

from mien.audio.features import FRAME_HZ
from mien.audio.pcm import Pcm
from mien.speech.voices.alignment import align, carry

from .spoken import errors_ms, speech


def test_carries_phones_to_slower_speech() -> None:
    (fast, phones), (slow, truth) = speech(1.1), speech(0.85)
    alignment = align(slow, fast)
    per_frame = slow.rate_hz / FRAME_HZ
    moved = carry(phones, fast.rate_hz, alignment)
    got = [type(p)(p.symbol, round(p.start * per_frame), round(p.end * per_frame)) for p in moved]
    errors = errors_ms(got, truth, slow.rate_hz)
    assert len(errors) > 40
    assert np.median(errors) < 10.0
    assert np.percentile(errors, 90) < 30.0
    assert 1.1 < alignment.ratio < 1.5


def test_long_pauses_and_noise_do_not_matter() -> None:
    sound, phones = speech(1.0)
    half = len(sound) // 2
    gap = next(p for p in phones if not p.symbol and p.start > half * 0.5)
    cut = (gap.start + gap.end) // 2
    noise = np.random.default_rng(0).standard_normal(len(sound) + 2 * sound.rate_hz).astype(np.float32) * 1e-3
    silence = Pcm.silence(2.0, sound.rate_hz)
    longer = Pcm.join([sound.cut(0, cut), silence, sound.cut(cut)], sound.rate_hz)
    alignment = align(Pcm(longer.samples * np.float32(0.3) + noise, sound.rate_hz), sound)
    per_frame = sound.rate_hz / FRAME_HZ
    moved = carry(phones, sound.rate_hz, alignment)
    after = [(m.start * per_frame - p.start) / sound.rate_hz for m, p in zip(moved, phones, strict=True)]
    before = [a for a, p in zip(after, phones, strict=True) if p.end < gap.start]
    behind = [a for a, p in zip(after, phones, strict=True) if p.start > gap.end]
    assert np.median(np.abs(before)) < 0.015
    assert np.median(np.abs(np.array(behind) - 2.0)) < 0.015


def test_a_shorter_vocal_tract_is_heard() -> None:
    sound, _ = speech(1.0)
    child = Pcm(sound.samples, round(sound.rate_hz * 1.2))  # formants, pitch and rate, all a fifth higher
    alignment = align(child, sound)
    assert 1.1 < alignment.warp < 1.3
    assert alignment.cost < 0.5
    assert align(sound, sound).warp == 1.0


def test_very_short_sounds_are_matched() -> None:
    tiny = Pcm(np.full(200, 0.1, np.float32), 16_000)
    assert len(align(tiny, tiny).path) == 3

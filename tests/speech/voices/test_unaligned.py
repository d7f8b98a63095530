import asyncio

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.audio.pcm import Pcm
from mien.face.feeling import Emotion
from mien.face.phone import Phone
from mien.speech.breath import Breath
from mien.speech.voices.unaligned import KINDS, UnalignedVoice, hear

from .spoken import gather, speech

VOWELS = frozenset("aeiouæɑɒɔəɛɜɪʊʌɚ")


def heard_in(heard: tuple[Phone, ...], phone: Phone) -> dict[str, int]:
    """Return how many samples of `phone` were heard as what."""
    out: dict[str, int] = {}
    for h in heard:
        shared = min(h.end, phone.end) - max(h.start, phone.start)
        if shared > 0:
            out[h.symbol] = out.get(h.symbol, 0) + shared
    return out


def covers(heard: tuple[Phone, ...], length: int) -> bool:
    return [p.start for p in heard] == [0, *(p.end for p in heard[:-1])] and heard[-1].end == length


def test_real_speech_is_heard_as_what_it_is() -> None:
    sound, phones = speech(1.0)
    heard = hear(sound)
    assert covers(heard, len(sound))
    silent = [heard_in(heard, p) for p in phones if not p.symbol and p.end - p.start > 3000]
    assert all(max(share, key=share.__getitem__) == "" for share in silent)
    open_vowels = [heard_in(heard, p) for p in phones if p.symbol[:1] in VOWELS and p.end - p.start > 1500]
    voiced = [max(share, key=share.__getitem__) in {"a", "ə", "i", "u"} for share in open_vowels]
    assert np.mean(voiced) > 0.85
    closures = [heard_in(heard, p) for p in phones if p.symbol in ("p", "b")]
    assert np.mean(["m" in share or "" in share for share in closures]) >= 0.6


def test_a_hiss_and_a_hum_are_told_apart() -> None:
    rng = np.random.default_rng(0)
    noise = np.diff(rng.standard_normal(8_001)).astype(np.float32) * 0.1
    time = np.arange(8_000) / 16_000
    hum = sum(np.sin(2 * np.pi * 120 * k * time) / k for k in range(1, 9)).astype(np.float32) * 0.2
    heard = hear(Pcm(np.concatenate([hum, noise]), 16_000))
    assert set(heard_in(heard, Phone("", 400, 7_600))) <= {"a", "ə", "i", "u"}
    assert set(heard_in(heard, Phone("", 8_400, 15_600))) <= {"s", "ʃ"}


def test_a_voice_gives_all_of_it_with_the_feeling_asked_for() -> None:
    pcm = Pcm(np.sin(np.arange(9_000) / 20).astype(np.float32), 16_000)
    voice = UnalignedVoice(pcm)
    (breath,) = asyncio.run(voice.script([Breath((), emotion=Emotion("happy"))]))
    assert breath.emotion.name == "happy"
    sound, phones = asyncio.run(gather(voice, [breath]))
    assert np.array_equal(sound.samples, pcm.samples)
    assert covers(tuple(phones), 9_000)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6_000), st.floats(0, 1), st.integers(0, 5))
def test_any_sound_is_covered(length: int, gain: float, seed: int) -> None:
    samples = np.random.default_rng(seed).uniform(-gain, gain, length).astype(np.float32)
    samples[length // 3 : length // 2] = 0.0
    heard = hear(Pcm(samples, 22_050))
    assert covers(heard, length)
    assert {p.symbol for p in heard} <= set(KINDS)

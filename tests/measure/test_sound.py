import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.measure.sound import BANDS, HOP_S, hear


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100, 48_000])
def test_a_click_is_heard_when_it_sounds(rate: int) -> None:
    samples = np.zeros(rate, np.float32)
    samples[rate // 3] = 1.0
    sound = hear(Pcm(samples, rate))
    loud = sound.times_s[sound.level_db > sound.level_db.max() - 1]
    assert abs(loud.mean() - 1 / 3) < HOP_S
    assert sound.bands_db.shape == (len(sound.level_db), BANDS)
    assert abs(len(sound.level_db) * HOP_S - 1) < 0.01


def test_a_tone_has_its_level_and_its_band() -> None:
    time = np.arange(16_000) / 16_000
    tones = [(0.5 * np.sin(2 * np.pi * hz * time)).astype(np.float32) for hz in (400, 5000)]
    low, high = (hear(Pcm(tone, 16_000)) for tone in tones)
    assert abs(low.level_db[250] - 20 * np.log10(0.5 / np.sqrt(2))) < 0.2
    assert np.argmax(low.bands_db[250]) < 4 < 8 < np.argmax(high.bands_db[250])


def test_clipping_and_peak() -> None:
    samples = np.zeros(1000, np.float32)
    samples[:10] = -1.0
    sound = hear(Pcm(samples, 16_000))
    assert (sound.peak, sound.clipped_share) == (1.0, 0.01)


def test_no_sample_is_silence() -> None:
    sound = hear(Pcm(np.zeros(0, np.float32), 16_000))
    assert sound.peak == 0
    assert (sound.level_db < -80).all()

import numpy as np
import pytest

from mien.audio import features
from mien.audio.pcm import Pcm


def tone(hz: float, seconds: float = 0.5, rate_hz: int = 22_050, gain: float = 0.5) -> Pcm:
    time = np.arange(round(seconds * rate_hz)) / rate_hz
    return Pcm((gain * np.sin(2 * np.pi * hz * time)).astype(np.float32), rate_hz)


def test_two_hundred_frames_a_second() -> None:
    pcm = tone(300.0, 1.0)
    assert features.spectrum(pcm).shape == (200, 257)
    assert features.energy_db(pcm).shape == (200,)


def test_frames_are_centred() -> None:
    samples = np.zeros(16_000, np.float32)
    samples[8_000] = 1.0
    level = features.energy_db(Pcm(samples, 16_000))
    loud = np.flatnonzero(level > -60)
    assert loud.mean() == pytest.approx(8_000 / features.HOP, abs=1)


def test_full_scale_is_the_reference() -> None:
    assert features.energy_db(tone(500.0, gain=1.0))[50] == pytest.approx(-3.0, abs=0.1)
    assert features.spectrum(tone(500.0, gain=1.0))[50].max() == pytest.approx(1.0, rel=0.1)


def test_silence_is_the_floor() -> None:
    silent = Pcm(np.zeros(8_000, np.float32), 16_000)
    assert np.all(features.energy_db(silent) == -100.0)
    assert np.all(np.isfinite(features.mfcc(features.log_mel(features.spectrum(silent)))))


def test_the_mel_band_of_a_tone_rises_with_it() -> None:
    bands = [
        int(np.argmax(features.log_mel(features.spectrum(tone(hz)))[50])) for hz in (200, 800, 3000, 7000)
    ]
    assert bands == sorted(set(bands))


def test_cepstra_do_not_hear_loudness_but_in_c0() -> None:
    noise = np.random.default_rng(0).standard_normal(8_000).astype(np.float32)
    loud, soft = (
        features.mfcc(features.log_mel(features.spectrum(Pcm(noise * gain, 16_000))))[50]
        for gain in (np.float32(0.2), np.float32(0.1))
    )
    assert loud.shape == (13,)
    assert loud[0] - soft[0] == pytest.approx(np.sqrt(features.MELS) * 2 * np.log(2), rel=1e-3)
    assert np.abs(loud - soft)[1:].max() < 1e-3


def test_deltas_of_a_line_are_its_slope() -> None:
    line = np.arange(50, dtype=np.float32)[:, None] * 0.5
    assert np.allclose(features.deltas(line)[4:-4], 0.5)


@pytest.mark.parametrize("warp", [0.8, 1.0, 1.3])
def test_a_warp_brings_a_shorter_tract_to_the_same_bands(warp: float) -> None:
    def bands(hz: float, by: float) -> np.ndarray:
        return features.log_mel(features.spectrum(tone(hz)), by)[50]

    assert abs(int(np.argmax(bands(1000.0 * warp, warp))) - int(np.argmax(bands(1000.0, 1.0)))) <= 1
    assert np.all(np.isfinite(bands(7_500.0, warp)))

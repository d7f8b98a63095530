import numpy as np
import pytest

from mien.speech.listening.whisper.mel import FRAME_HZ, filters, log_mel


def test_a_tone_lies_in_its_band():
    tone = np.sin(2 * np.pi * 1_000 * np.arange(16_000) / 16_000).astype(np.float32)
    mel = log_mel(tone)
    assert mel.shape == (80, FRAME_HZ)
    centres = filters(80).argmax(axis=1) * 40.0  # Hz of each band's peak: 16 kHz / 400 a bin
    assert abs(centres[mel[:, 50].argmax()] - 1_000) <= 40


def test_values_are_those_of_openai_whisper():
    # the definition of openai/whisper's audio.py in float64, with a direct DFT instead of an FFT
    rng = np.random.default_rng(3)
    sound = (0.1 * rng.standard_normal(4_000)).astype(np.float32)
    mel = log_mel(sound)
    padded = np.pad(sound.astype(np.float64), 200, mode="reflect")
    frames = np.stack([padded[i * 160 : i * 160 + 400] for i in range(25)])
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(400) / 400)
    basis = np.exp(-2j * np.pi * np.outer(np.arange(400), np.arange(201)) / 400)
    power = np.abs((frames * window) @ basis) ** 2
    logs = np.log10(np.maximum(power @ filters(80).T.astype(np.float64), 1e-10))
    expected = (np.maximum(logs, logs.max() - 8) + 4) / 4
    np.testing.assert_allclose(mel, expected.T, atol=2e-5)


def test_filters_are_those_of_whisper():
    # mel_filters.npz of openai/whisper: the first band's peak and the areas of two others
    made = filters(80)
    assert made.shape == (80, 201)
    assert made[0, 1] == pytest.approx(0.02486259, abs=1e-6)
    assert made[1, 2] == pytest.approx(0.02286, abs=1e-4)
    assert np.all(made >= 0)


def test_silence_has_no_detail():
    mel = log_mel(np.zeros(3_200, np.float32))
    assert mel.min() == mel.max() == pytest.approx(-1.5)


def test_no_sound_is_no_frame():
    assert log_mel(np.zeros(0, np.float32)).shape == (80, 0)

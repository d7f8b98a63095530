import numpy as np
import pytest

from mien import packs
from mien.audio.files import read
from mien.engine.metrics import concerned, metric

CITIES = packs.path("samples") / "two_cities.wav"


@pytest.fixture(scope="module")
def speech():
    pcm = read(CITIES)
    return pcm.samples[: 4 * pcm.rate_hz], pcm.rate_hz


def test_the_same_sound_has_no_error_and_silence_has_every_word(speech):
    samples, rate_hz = speech
    made = metric("word-error", rate_hz)
    made.add(samples, samples * 0.7)
    assert made.value == 0
    other = metric("word-error", rate_hz)
    other.add(samples, np.zeros_like(samples))
    assert other.value == 1


def test_durations_are_no_speech():
    assert not concerned(metric("word-error", 16_000), np.zeros(40, np.float32))

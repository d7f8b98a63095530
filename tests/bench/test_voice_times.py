import asyncio

import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.bench import voice as bench
from mien.speech.breath import Breath, Piece
from mien.speech.voice import SpeechChunk


class Tone:
    """A voice that says two chunks of half a second."""

    rate_hz = 8000
    languages = frozenset()

    def __init__(self):
        self.spoken = 0

    async def speak(self, breath):
        self.spoken += 1
        for k in range(2):
            yield SpeechChunk(Pcm(np.zeros(4000, np.float32), 8000), 4000 * k)


def test_every_run_is_counted_but_the_first():
    tone = Tone()
    times = asyncio.run(bench.measure(tone, Breath((Piece("a"),)), runs=3))
    assert tone.spoken == 4
    assert len(times.runs) == 3
    assert times.speech_s == 1.0
    assert all(0 < run.first_s <= run.total_s for run in times.runs)


def test_best_and_median():
    times = bench.VoiceTimes(tuple(bench.Run(f, t, 2.0) for f, t in ((0.2, 1.0), (0.1, 0.5), (0.3, 3.0))))
    assert times.first_ms == pytest.approx((100, 200))
    assert times.real_time_factor == pytest.approx((0.25, 0.5))

"""Small films with a flash and a click at the same moments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.media import FilmWriter

MOMENTS_S = (1.0, 2.0)
LENGTH_S = 2.5
LIT, DARK = (220, 180, 60), (30, 30, 30)


def click_track(rate_hz: int) -> Pcm:
    """Silence with a tone of 10 ms that starts at full strength at each moment."""
    samples = np.zeros(int(LENGTH_S * rate_hz), np.float32)
    tone = 0.8 * np.cos(2 * np.pi * 1000 * np.arange(rate_hz // 100) / rate_hz)
    for moment in MOMENTS_S:
        samples[int(moment * rate_hz) :][: len(tone)] = tone
    return Pcm(samples, rate_hz)


def picture_at(time_s: float, size: tuple[int, int]) -> np.ndarray:
    lit = any(0 <= time_s - moment < 0.1 for moment in MOMENTS_S)
    return np.full((size[1], size[0], 3), LIT if lit else DARK, np.uint8)


@pytest.fixture
def flash_and_click(tmp_path) -> Callable[..., Path]:
    """Write a film by suffix, rate of pictures and of sound; returns its path."""

    def make(suffix=".mp4", fps=25, rate_hz=16_000, size=(64, 64), **options) -> Path:
        path = tmp_path / f"film{suffix}"
        with FilmWriter(path, size=size, fps=fps, audio_rate_hz=rate_hz, **options) as writer:
            sound = click_track(rate_hz) if rate_hz else None
            for second in range(3):
                if sound:
                    writer.audio(sound.cut(second * rate_hz, (second + 1) * rate_hz))
                for i in range(round(second * writer.fps), round(min(second + 1, LENGTH_S) * writer.fps)):
                    writer.picture(picture_at(float(i / writer.fps), size))
        return path

    return make

import asyncio

import numpy as np
import pytest

from mien.audio import Pcm
from mien.errors import InputError
from mien.speech.listening.playback import play


def test_sound_that_can_not_be_heard_ends_the_events(models):
    samples = np.zeros(16_000, np.float32)
    samples[12_000] = np.nan

    async def listen():
        return [event async for event, _ in play(models, Pcm(samples, 16_000))]

    with pytest.raises(InputError, match="no numbers"):
        asyncio.run(asyncio.wait_for(listen(), 60))

import asyncio

import pytest

from mien.live import clock
from mien.live.options import SessionOptions
from mien.live.taking import TurnTaking

RATE_HZ, STEP = 16_000, 320  # 20 ms


def dated(pushes):
    """Return when the last sample was spoken, of pushes of 20 ms: each waits, and then takes so many s."""

    async def main():
        taking = TurnTaking(None, None, SessionOptions(), lambda event: None)
        for wait_s, takes_s in pushes:
            await asyncio.sleep(wait_s)
            taking.heard(STEP, RATE_HZ)
            await asyncio.sleep(takes_s)
            taking.took(STEP)
        return taking._at(STEP * len(pushes))

    return clock.run(main())


def test_sound_that_waited_was_spoken_before_it_was_taken():
    pushes = [(0.02, 0.1), (0.0, 0.0), (0.0, 0.0)]  # two more came while the first was taken
    assert dated(pushes) == pytest.approx(0.06)


def test_sound_after_a_pause_was_spoken_when_it_came():
    pushes = [(0.02, 0.1), (5.0, 0.0), (0.02, 0.0)]
    assert dated(pushes) == pytest.approx(5.14)

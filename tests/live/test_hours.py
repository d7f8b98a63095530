import asyncio
import gc
from collections import Counter

from tests.live.conftest import Stage
from tests.live.test_session import turn

from mien.live.events import Done

TURNS, EVERY_S = 60, 60.0
FULL = 42  # turns, behind which the history is as long as it gets


def test_an_hour_of_talk_leaves_what_two_thirds_of_it_left(staged):
    kept: list[Counter[str]] = []

    async def play(stage: Stage) -> None:
        for number in range(TURNS):
            stage.ears.tell(*turn(f"question {number}", number + 1))
            await asyncio.sleep(EVERY_S)
            stage.generations.clear()
            stage.mind.asked.clear()
            said = stage.of(Done)
            stage.taken.clear()
            assert len(said) == 1
            assert stage.session.tasks == 2
            if number in (FULL - 1, FULL, TURNS - 1):  # counting itself leaves something, the first time
                gc.collect()
                kept.append(Counter(type(each).__name__ for each in gc.get_objects()))

    stage = staged(play)
    assert stage.session.underruns == 0
    grown = kept[2] - kept[1]
    assert grown.total() < TURNS - FULL - 1, grown.most_common(8)  # not one object for each turn
    assert stage.session.end / stage.session.rate_hz >= TURNS * EVERY_S

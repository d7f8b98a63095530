"""A human takes over when enough of the answer was heard that promised it, interrupted or not."""

import asyncio

import pytest
from tests.live.conftest import Echo, Stage

from mien.live.events import Done, HandOver, Interrupted
from mien.live.mind import Asked, Said


def promises(asked: Asked) -> list[Said]:
    """One answer that hands over; its reason comes last, as a mind tells it."""
    if asked.text != "lost":
        return [Said("It is all right.")]
    return [Said("I am very sorry to hear that. Somebody will come to you now."), Said("", hand_over="lost")]


@pytest.mark.parametrize(("after_s", "told"), [(0.5, 0), (2.5, 1), (30.0, 1)])
def test_an_answer_that_is_interrupted_hands_over_when_it_was_heard(staged, after_s, told):
    async def play(stage: Stage) -> None:
        number = stage.session.text("lost")
        await asyncio.sleep(after_s)
        stage.session.interrupt()
        await asyncio.sleep(1.0)
        stage.session.text("thank you")
        await asyncio.sleep(10.0)
        assert [(each.turn, each.reason) for each in stage.of(HandOver)] == [(number, "lost")] * told

    stage = staged(play, mind=Echo(answer_with=promises))
    kinds = [type(output) for _, output in stage.taken if isinstance(output, HandOver | Interrupted | Done)]
    assert kinds == [HandOver] * told + [Interrupted if after_s < 30.0 else Done, Done]

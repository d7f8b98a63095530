import asyncio

import pytest

from mien.speech.listening.events import Partial, Pause
from mien.speech.listening.outbox import Outbox


def partial(sample: int) -> Partial:
    return Partial(sample, 1, (), 0, "en", False)


def test_events_come_in_order_and_then_none():
    async def use() -> list:
        box = Outbox()
        for sample in range(3):
            await box.put(Pause(sample, 1))
        box.close()
        await box.put(Pause(9, 1))
        return [await box.take() for _ in range(4)]

    assert asyncio.run(use()) == [Pause(0, 1), Pause(1, 1), Pause(2, 1), None]


def test_who_is_slow_gets_the_newest_partial():
    async def use() -> list:
        box = Outbox()
        for sample in range(1000):
            await box.put(partial(sample))
        return [await box.take()]

    assert asyncio.run(use()) == [partial(999)]


def test_who_puts_waits_for_room():
    async def use() -> int:
        box = Outbox()

        async def fill() -> None:
            for sample in range(200):
                await box.put(Pause(sample, 1))

        filling = asyncio.create_task(fill())
        for _ in range(1000):
            await asyncio.sleep(0)
        assert not filling.done()
        taken = [await box.take() for _ in range(200)]
        await filling
        return len({event.sample for event in taken if event})

    assert asyncio.run(use()) == 200


def test_an_error_comes_behind_what_is_there():
    async def use() -> None:
        box = Outbox()
        await box.put(Pause(0, 1))
        box.close(ValueError("broken"))
        await box.take()
        await box.take()

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(use())

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from mien.live import clock
from mien.live.lanes import Generation, Lane


def test_items_come_in_order_and_a_closed_lane_ends():
    async def use() -> list[int | None]:
        lane: Lane[int] = Lane(Generation(), 1000.0)
        for number in (1, 2, 3):
            await lane.put(number, 100.0, 0)
        lane.close()
        return [await lane.take() for _ in range(4)]

    assert clock.run(use()) == [1, 2, 3, None]


def test_who_puts_waits_until_there_is_room():
    async def use() -> list[float]:
        lane: Lane[int] = Lane(Generation(), 250.0)
        times = []

        async def fill() -> None:
            for number in range(4):
                await lane.put(number, 100.0, 0)
                times.append(clock.now())

        task = asyncio.create_task(fill())
        for _ in range(2):
            await asyncio.sleep(1.0)
            await lane.take()
        await task
        return times

    assert clock.run(use()) == [0.0, 0.0, 1.0, 2.0]


def test_a_long_item_passes_alone():
    async def use() -> str | None:
        lane: Lane[str] = Lane(Generation(), 100.0)
        await lane.put("long", 5000.0, 0)
        return await lane.take()

    assert clock.run(use()) == "long"


def test_who_waits_to_put_something_old_is_let_go():
    async def use() -> tuple[int, str | None]:
        generation = Generation()
        lane: Lane[str] = Lane(generation, 100.0)
        await lane.put("old", 100.0, 0)
        task = asyncio.create_task(lane.put("old too", 100.0, 0))
        await asyncio.sleep(1.0)
        generation.bump()
        lane.drop_old()
        await task
        await lane.put("new", 100.0, 1)
        return len(lane), await lane.take()

    assert clock.run(use()) == (1, "new")


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["put", "put old", "take", "bump", "drop"]), st.floats(0.1, 200.0)))
)
def test_nothing_older_than_the_generation_is_ever_taken(steps):
    async def use() -> None:
        generation = Generation()
        lane: Lane[int] = Lane(generation, 500.0)
        putting = set()
        for step, length_ms in steps:
            number = generation.number
            if step.startswith("put"):
                number -= step == "put old"
                putting.add(asyncio.create_task(lane.put(number, length_ms, number)))
                await asyncio.sleep(0)
            elif step == "take":
                taken = lane.taken()
                assert taken is None or taken >= generation.number
            elif step == "bump":
                generation.bump()
            else:
                lane.drop_old()
            assert lane.held_ms <= 500.0
            assert abs(lane.held_ms - sum(held.length_ms for held in lane._held)) < 1e-6
        lane.close()
        await asyncio.gather(*putting)

    clock.run(use())

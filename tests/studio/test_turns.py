"""The most urgent work comes first."""

import asyncio
import threading

import pytest

from mien.studio.turns import Rank, Turns


@pytest.fixture
def turns():
    made = Turns()
    yield made
    made.close()


def test_work_comes_by_rank_and_then_in_order(turns):
    done, gate = [], threading.Event()

    async def main():
        first = asyncio.ensure_future(turns.do(Rank.THUMBNAIL, gate.wait))
        await asyncio.sleep(0)
        work = [(Rank.THUMBNAIL, "a"), (Rank.EXPORT, "b"), (Rank.LIVE, "c"), (Rank.EXPORT, "d")]
        waiting = [
            asyncio.ensure_future(turns.do(rank, lambda name=name: done.append(name))) for rank, name in work
        ]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *waiting)

    asyncio.run(main())
    assert done == ["c", "b", "d", "a"]


def test_what_is_cancelled_before_its_turn_is_never_done(turns):
    done, gate = [], threading.Event()

    async def main():
        first = asyncio.ensure_future(turns.do(Rank.LIVE, gate.wait))
        dropped = asyncio.ensure_future(turns.do(Rank.LIVE, lambda: done.append("dropped")))
        await asyncio.sleep(0)
        dropped.cancel()
        await asyncio.sleep(0)
        gate.set()
        await first
        await turns.do(Rank.LIVE, lambda: done.append("last"))

    asyncio.run(main())
    assert done == ["last"]


def test_errors_reach_who_waits(turns):
    with pytest.raises(ZeroDivisionError):
        asyncio.run(turns.do(Rank.LIVE, lambda: 1 // 0))

import asyncio
import threading

import numpy as np
import pytest

from mien.engine.runtime import ServedEngine, Settings, Terms
from mien.engine.stop import Stopped
from mien.errors import InputError

from .nets import CAUSAL, Wrapped, engine, wave


@pytest.fixture
def served():
    with ServedEngine(engine(CAUSAL), Settings(most=8)) as made:
        yield made


class Held(Wrapped):
    """An engine that waits to be let go: what is asked meanwhile becomes a batch."""

    def __init__(self, inner):
        super().__init__(inner)
        self.free, self.entered, self.batches = threading.Event(), threading.Event(), []

    def run(self, stop=None, /, **inputs):
        self.entered.set()
        assert self.free.wait(30)
        self.batches.append(len(inputs["x"]))
        return self._inner.run(stop, **inputs)


async def until_waiting(served, count):
    """Let the tasks run until `count` requests are in the queue."""
    waiting = served._dispatcher.waiting

    def wait():
        with waiting.ready:
            assert waiting.ready.wait_for(lambda: len(waiting) >= count, 30)

    await asyncio.to_thread(wait)


def test_many_callers_get_their_own_results(served):
    async def all_at_once():
        return await asyncio.gather(*(served.submit(x=wave(seed=i)) for i in range(50)))

    for i, got in enumerate(asyncio.run(all_at_once())):
        np.testing.assert_allclose(got["out"], served.run(x=wave(seed=i))["out"], atol=1e-6)
    assert served.counts.requests == 50
    assert served.unbatched == ""


def test_what_waits_while_the_engine_is_busy_goes_together():
    held = Held(engine(CAUSAL))

    async def ask(served):
        first = asyncio.create_task(served.submit(x=wave()))
        await asyncio.to_thread(held.entered.wait)
        more = [asyncio.create_task(served.submit(x=wave(seed=i))) for i in range(3)]
        gone = asyncio.create_task(served.submit(x=wave()))
        old = asyncio.create_task(served.submit(Terms("s", generation=1), x=wave()))
        new = asyncio.create_task(served.submit(Terms("s", generation=2), x=wave()))
        await until_waiting(served, 6)
        gone.cancel()
        await asyncio.wait([gone])
        held.free.set()
        await asyncio.gather(first, *more, new)
        with pytest.raises(Stopped):
            await old

    with ServedEngine(held) as served:
        asyncio.run(ask(served))
    assert held.batches == [1, 1, 1, 2, 4]  # one, the proof on two (alone, alone, together), the rest


def test_an_error_reaches_who_asked(served):
    async def ask():
        await served.submit(y=wave())

    with pytest.raises(InputError, match="no input 'y'"):
        asyncio.run(ask())


def test_closing_ends_what_waits_and_what_comes():
    held = Held(engine(CAUSAL))

    async def ask(served):
        first = asyncio.create_task(served.submit(x=wave()))
        await asyncio.to_thread(held.entered.wait)
        second = asyncio.create_task(served.submit(x=wave()))
        await until_waiting(served, 1)
        closing = asyncio.create_task(asyncio.to_thread(served.close))
        with pytest.raises(Stopped):
            await second
        held.free.set()
        await asyncio.gather(first, closing)
        with pytest.raises(Stopped):
            await served.submit(x=wave())

    asyncio.run(ask(ServedEngine(held)))

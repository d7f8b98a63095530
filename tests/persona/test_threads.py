import asyncio
import threading

import pytest

from mien.persona.threads import in_thread


def test_a_caller_cancelled_twice_still_waits_for_the_thread():
    async def cancel() -> None:
        started, go_on, ended = threading.Event(), threading.Event(), threading.Event()

        def work() -> None:
            started.set()
            go_on.wait(10)
            ended.set()

        task = asyncio.create_task(in_thread(work))
        await asyncio.to_thread(started.wait, 10)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not task.done()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()

    asyncio.run(cancel())


def test_a_result_and_an_error_come_back():
    assert asyncio.run(in_thread(max, 1, 2)) == 2
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_thread(divmod, 1, 0))

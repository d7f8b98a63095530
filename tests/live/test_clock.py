import asyncio
import hashlib
import threading

from mien.live import clock


def work_hard() -> str:
    """Compute for some tenths of a second, off the event loop."""
    return hashlib.pbkdf2_hmac("sha256", b"words", b"salt", 200_000).hex()


def test_hours_of_waiting_take_no_time():
    async def wait() -> float:
        await asyncio.sleep(3600.0)
        return clock.now()

    assert 3600.0 <= clock.run(wait()) < 3600.1


def test_timers_fire_in_order():
    async def wait(seconds: float, done: list[float]) -> None:
        await asyncio.sleep(seconds)
        done.append(seconds)

    async def all_of_them() -> list[float]:
        done: list[float] = []
        async with asyncio.TaskGroup() as group:
            for seconds in (30.0, 10.0, 20.0):
                group.create_task(wait(seconds, done))
        return done

    assert clock.run(all_of_them()) == [10.0, 20.0, 30.0]


def test_a_time_out_does_not_pass_while_a_thread_works():
    async def work() -> str:
        async with asyncio.timeout(0.01):
            return await asyncio.to_thread(work_hard)  # real work takes real time

    assert clock.run(work()) == work_hard()


def test_work_counts_when_it_is_asked_for():
    async def work() -> float:
        await asyncio.to_thread(work_hard)
        await asyncio.sleep(100.0)
        return clock.now()

    assert clock.run(work(), counts_work=True) > 100.0 == clock.run(work())


def test_the_clock_stands_while_another_thread_is_busy():
    working = threading.Event()
    working.set()

    async def work() -> float:
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def compute() -> None:
            work_hard()
            loop.call_soon_threadsafe(done.set_result, None)
            working.clear()

        threading.Thread(target=compute).start()
        asyncio.get_running_loop().call_later(1.0, lambda: None)
        await done
        return clock.now()

    assert clock.run(work(), busy=working.is_set) == 0.0

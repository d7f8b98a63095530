import asyncio
import threading

import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.engine.runtime.asking import asked
from mien.engine.stop import Stopped
from mien.live import clock
from mien.speech.voice import SpeechChunk
from mien.speech.voices.worker import Pace, Worker, sounding


def chunk(seconds):
    return SpeechChunk(Pcm.silence(seconds, 1000), 0)


def test_the_next_sound_is_asked_for_by_when_the_last_ends():
    now = [10.0]
    pace = Pace(lambda: now[0])
    assert pace.terms().within_s is None
    pace.gave(0.5)
    now[0] = 10.1
    pace.gave(1.0)
    terms = pace.terms()
    assert terms.within_s == pytest.approx(1.4)  # both are played one after the other, from 10.0 on
    assert terms.session != Pace().terms().session
    now[0] = 11.6  # silence was heard
    assert pace.terms().within_s is None


def test_streams_go_side_by_side_each_on_its_own_terms():
    met = asyncio.run(_both())
    assert met == [[0, 1], [0, 1]]


async def _both():
    worker, here = Worker("voice"), threading.Barrier(2)

    def items(_):
        for _step in range(2):
            here.wait(30)  # only two streams at once get past
            yield SpeechChunk(Pcm(np.full(590, float(asked().within_s is not None), np.float32), 1000), 0)

    async def all_of():
        return [int(each.pcm.samples[0]) async for each in worker.stream(items)]

    return await asyncio.gather(all_of(), all_of())


def test_a_breath_of_a_performance_is_due_when_those_before_end():
    async def terms_of_the_second():
        pace, met = Pace(), []
        sounding.set(pace)
        pace.gave(2.0)

        def items(_):
            met.append(asked())
            yield chunk(0.5)

        async for each in Worker("voice").stream(items):
            pace.gave(each.pcm.duration_s)
        return pace, met[0], pace.terms()

    pace, first, then = asyncio.run(terms_of_the_second())
    assert 1.0 < first.within_s <= 2.0
    assert 1.5 < then.within_s <= 2.5
    assert first.session == then.session == id(pace)


def test_closing_a_stream_stops_its_step_and_closes_what_makes_it():
    assert asyncio.run(_closed()) == ["stopped", "closed"]


async def _closed():
    worker, log, begun, ended = Worker("voice"), [], threading.Event(), threading.Event()

    def items(stop):
        try:
            yield chunk(0.1)
            waits = threading.Event()
            try:
                with stop.watched(waits.set):
                    begun.set()
                    assert waits.wait(30)
                    raise Stopped
            except Stopped:
                log.append("stopped")
                raise
        finally:
            log.append("closed")
            ended.set()

    async def listen():
        async for _ in worker.stream(items):
            pass

    task = asyncio.create_task(listen())
    await asyncio.to_thread(begun.wait)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await asyncio.to_thread(ended.wait, 30)
    return log


def test_a_clock_that_skips_waiting_does_not_skip_while_a_voice_works():
    async def speaks():
        worker, go, asleep = Worker("voice"), threading.Event(), asyncio.Event()

        def items(_):
            assert go.wait(30)
            yield chunk(0.1)

        async def listen():
            async for _ in worker.stream(items):
                pass

        listening = asyncio.create_task(listen())
        asyncio.get_running_loop().call_later(3600.0, asleep.set)
        threading.Timer(0.2, go.set).start()
        await listening
        return asleep.is_set()

    assert not clock.run(speaks())

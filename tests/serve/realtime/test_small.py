"""The small parts: frames, queues, rates, items."""

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.face.pose import FaceTrack
from mien.live import clock
from mien.serve.gate import Gate
from mien.serve.realtime.frames import PER_RADIAN, ROW, pack, unpack
from mien.serve.realtime.items import MOST, Items
from mien.serve.realtime.outbox import Outbox
from mien.serve.realtime.rate import Rate
from mien.serve.realtime.wire import as_json
from mien.serve.refusals import RefusedError


@given(seed=st.integers(0, 1000), count=st.integers(0, 5))
def test_frames_come_back_within_half_a_step(seed, count):
    draw = np.random.default_rng(seed)
    track = FaceTrack(
        draw.random((count, 52), np.float32),
        draw.uniform(-1, 1, (count, 3)).astype(np.float32),
        draw.uniform(-1, 1, (count, 2, 2)).astype(np.float32),
    )
    data = pack(track)
    assert len(data) == 66 * count == ROW.itemsize * count
    back = unpack(data)
    np.testing.assert_allclose(back.weights, track.weights, atol=0.5 / 255 + 1e-6)
    np.testing.assert_allclose(back.head, track.head, atol=0.5 / PER_RADIAN + 1e-6)
    np.testing.assert_allclose(back.gaze, track.gaze, atol=0.5 / PER_RADIAN + 1e-6)


def test_frames_are_these_bytes():
    face = FaceTrack.empty().cut(0)
    weights = np.zeros((1, 52), np.float32)
    weights[0, [0, 51]] = 1.0, 0.5
    head, gaze = np.array([[0.1, -0.1, 4.0]], np.float32), np.array([[[0.0, 0.01], [-0.01, 0.0]]], np.float32)
    face = FaceTrack(weights, head, gaze)
    golden = "ff" + "00" * 50 + "80" + "e803" + "18fc" + "ff7f" + "0000" + "6400" + "9cff" + "0000"
    assert pack(face).hex() == golden


def test_an_outbox_gives_all_in_order_and_then_ends():
    async def main():
        outbox = Outbox(as_json)
        for number in range(3):
            outbox.put({"n": number})
        outbox.close()
        outbox.put({"n": 9})
        return [await outbox.take() for _ in range(4)], outbox.held

    assert clock.run(main()) == (['{"n":0}', '{"n":1}', '{"n":2}', None], 0)


def test_an_outbox_that_nobody_empties_gives_up():
    async def main():
        outbox = Outbox(as_json, most=100)
        for _ in range(100):
            outbox.put({"sound": "x" * 20})
        return outbox.overfull, await outbox.take(), outbox.held < 200

    assert clock.run(main()) == (True, None, True)


def test_events_pass_at_their_rate():
    async def main():
        rate, began = Rate(per_s=10, burst=5), clock.now()
        for _ in range(105):
            await asyncio.sleep(rate.late())
        return clock.now() - began, rate.hopeless

    took, hopeless = clock.run(main())
    assert took == pytest.approx(10.0, abs=0.2)
    assert not hopeless


def test_a_warning_comes_once_a_second_and_patience_ends():
    async def main():
        rate, warnings = Rate(), []
        for _ in range(100):
            warnings.append(rate.warns())
            await asyncio.sleep(0.25)
        return sum(warnings), rate.hopeless

    assert clock.run(main()) == (25, True)


def test_a_gate_holds_so_many_and_refuses_more():
    async def main():
        gate, inside, most = Gate("work", 2, 1), 0, 0

        async def work():
            nonlocal inside, most
            async with gate.pass_through():
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(1.0)
                inside -= 1

        done = await asyncio.gather(*(work() for _ in range(4)), return_exceptions=True)
        return most, [type(each) for each in done if each is not None], gate.inside

    assert clock.run(main()) == (2, [RefusedError], 0)


def test_items_go_when_there_are_too_many():
    told = []
    items = Items(lambda kind, **fields: told.append((kind, fields)))
    for number in range(MOST + 3):
        items.add({"id": f"item_{number}"})
    assert "item_2" not in items
    assert "item_3" in items
    assert items.last == f"item_{MOST + 2}"
    assert told[5][1]["previous_item_id"] == "item_4"
    with pytest.raises(RefusedError):
        items.check_place("item_0")

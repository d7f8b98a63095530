import asyncio
import base64

import numpy as np
import pytest
from tests.serve.client import connected

from mien.serve.realtime.frames import ROW, SAMPLES, unpack

WORDS = "Please tell me everything that you know about the weather in the mountains."


@pytest.fixture(scope="module")
def talked(server):
    """A typed question, answered with a face, and cut by the client in the middle."""

    async def talk():
        async with connected(server.ws) as client:
            await client.update(mien={"face": True})
            await client.ask(WORDS)
            await client.until("response.output_audio.delta")
            await client.until("response.output_audio.delta")
            await client.send("response.cancel")
            await client.until("response.done")
            await client.until("mien.latency")
            await client.until("mien.face.delta")
            await client.ask("Good morning")
            await client.until("response.output_audio.delta")
        return client

    return asyncio.run(talk())


def test_frames_follow_each_other_on_the_clock_of_the_sound(talked):
    end = talked.of("mien.face.delta")[0]["start"]
    assert end < 24_000, "the face comes at once, not behind what was given out unseen"
    for event in talked.of("mien.face.delta"):
        rows = unpack(base64.b64decode(event["frames"]))
        assert len(rows) == event["count"]
        assert event["start"] % SAMPLES == 0
        assert event["start"] <= end, "a gap"
        end = event["start"] + SAMPLES * event["count"]


def test_a_mouth_moves_while_there_is_sound_and_frames_come_before_it(talked):
    opened = []
    kinds = talked.kinds()
    for at, event in enumerate(talked.seen):
        if event["type"] == "response.output_audio.delta":
            before = [e for e in talked.seen[:at] if e["type"] == "mien.face.delta"][-1]
            assert before["response_id"] == event["response_id"]
            rows = np.frombuffer(base64.b64decode(before["frames"]), ROW)
            opened.append(rows["weights"].max())
    assert max(opened) > 30
    assert kinds.index("mien.face.delta") < kinds.index("response.output_audio.delta")


def test_nothing_of_a_cancelled_answer_follows_the_cut(talked):
    cut = talked.kinds().index("mien.cut")
    first = talked.of("response.done")[0]["response"]
    assert (first["status"], first["status_details"]["reason"]) == ("cancelled", "client_cancelled")
    late = [
        event
        for event in talked.seen[cut + 1 :]
        if event.get("response_id") == first["id"] and event["type"].endswith("delta")
    ]
    assert late == []
    assert len(first["output"][0]["content"][0]["transcript"]) < len(WORDS)


def test_an_answer_says_where_the_time_went(talked):
    stages = talked.of("mien.latency")[0]["stages"]
    assert {"understanding", "breath", "sound", "sent"} <= set(stages)
    assert stages["sent"] >= stages["sound"] >= 0


def test_a_session_that_asks_for_no_face_gets_none(server):
    async def talk():
        async with connected(server.ws) as client:
            await client.ask("Hello")
            await client.until("response.output_audio.delta")
            await client.send("response.cancel")
            await client.until("response.done")
        return client

    assert not [kind for kind in asyncio.run(talk()).kinds() if kind.startswith("mien.")]

"""Everything a client may send, in any order: the session answers afterwards as if nothing had been."""

import asyncio
import base64
import json
import random

import pytest
from tests.serve.client import connected
from tests.serve.realtime.test_inputs import EVENTS

from mien.serve.realtime.sound import encode


def choices(question):
    """Return makers of events that belong to a real conversation."""
    sound = [question.samples[at : at + 4800] for at in range(0, len(question), 4800)]
    return [
        lambda draw, client: {"type": "input_audio_buffer.append", "audio": said(draw.choice(sound))},
        lambda draw, client: {"type": "input_audio_buffer.append", "audio": said(draw.choice(sound))},
        lambda draw, client: {"type": "input_audio_buffer.commit"},
        lambda draw, client: {"type": "input_audio_buffer.clear"},
        lambda draw, client: {"type": "response.create"},
        lambda draw, client: {"type": "response.create", "response": {"output_modalities": ["text"]}},
        lambda draw, client: {"type": "response.cancel"},
        lambda draw, client: {"type": "output_audio_buffer.clear"},
        lambda draw, client: {"type": "mien.playhead", "sample": draw.randrange(200_000)},
        lambda draw, client: {"type": "session.update", "session": session(draw)},
        lambda draw, client: truncation(draw, client),
        lambda draw, client: draw.choice(EVENTS[5:]),
    ]


def said(samples):
    return base64.b64encode(encode(samples, "audio/pcm")).decode()


def session(draw):
    detection = draw.choice([None, {"type": "server_vad"}, {"type": "semantic_vad", "eagerness": "high"}])
    return {
        "type": "realtime",
        "output_modalities": [draw.choice(["text", "audio"])],
        "audio": {"input": {"turn_detection": detection}, "output": {"speed": draw.choice([0.8, 1.2])}},
        "mien": {"face": draw.random() < 0.5, "barge_in": draw.choice(["hold", "words", "voice"])},
    }


def truncation(draw, client):
    known = [event["item"]["id"] for event in client.of("conversation.item.added")] or ["none"]
    place = {"item_id": draw.choice(known), "content_index": 0, "audio_end_ms": draw.randrange(2000)}
    return {"type": "conversation.item.truncate", **place}


@pytest.mark.parametrize("seed", range(2))
def test_a_session_bears_any_order(server, question, seed):
    draw, makers = random.Random(seed), choices(question)

    async def main():
        async with connected(server.ws) as client:
            reading = asyncio.create_task(client.until("never"))
            for _ in range(120):
                await client.socket.send(json.dumps(draw.choice(makers)(draw, client)))
                await asyncio.sleep(draw.choice([0, 0, 0.005]))
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await client.send("input_audio_buffer.clear")
            await client.send("response.cancel")
            await client.send(
                "session.update", session=session(random.Random(0)) | {"output_modalities": ["text"]}
            )
            await client.until("session.updated")
            return await answered(client)

    assert asyncio.run(main()) == "completed"


async def answered(client):
    """Ask until nothing else is being answered."""
    for number in range(20):
        metadata = {"asked": str(number)}
        await client.ask("Hello", metadata=metadata)
        while True:
            event = await client.next()
            if event["type"] == "error" and "active_response" in event["error"]["code"]:
                await client.send("response.cancel")
                break
            if event["type"] == "response.done" and event["response"]["metadata"] == metadata:
                return event["response"]["status"]
    return "never"

import asyncio
import base64

import numpy as np
from openai import AsyncOpenAI
from openai.types.realtime import realtime_server_event
from pydantic import TypeAdapter

from mien.serve.realtime.sound import encode

ADAPTER = TypeAdapter(realtime_server_event.RealtimeServerEvent)
PIECE = 960  # samples: 40 ms


async def _say(connection, pcm):
    for at in range(0, len(pcm), PIECE):
        data = encode(pcm.samples[at : at + PIECE], "audio/pcm")
        await connection.input_audio_buffer.append(audio=base64.b64encode(data).decode())


async def _until(connection, kind, seen):
    async with asyncio.timeout(20):
        async for event in connection:
            seen.append(event)
            if event.type == kind:
                return event
    raise AssertionError(f"no {kind}")


def test_what_is_said_is_transcribed_and_answered_with_sound(server, question):
    async def talk():
        client = AsyncOpenAI(base_url=f"{server.http}/v1", api_key="none")
        seen = []
        async with client.realtime.connect(model="mien") as connection:
            await _until(connection, "session.created", seen)
            await connection.session.update(session={"type": "realtime", "output_modalities": ["audio"]})
            await _until(connection, "session.updated", seen)
            await _say(connection, question)
            await _until(connection, "response.done", seen)
        await client.close()
        return seen

    seen = asyncio.run(talk())
    kinds = [event.type for event in seen]
    words = next(e for e in seen if e.type == "conversation.item.input_audio_transcription.completed")
    assert "age of wisdom" in words.transcript.lower()
    spoken = b"".join(base64.b64decode(e.delta) for e in seen if e.type == "response.output_audio.delta")
    sound = np.frombuffer(spoken, "<i2")
    assert len(sound) > 24_000
    assert np.abs(sound).max() > 3000
    done = seen[-1].response
    assert done.status == "completed"
    assert "wisdom" in done.output[0].content[0].transcript
    assert done.usage.output_tokens > 10
    order = [
        "input_audio_buffer.speech_started",
        "input_audio_buffer.speech_stopped",
        "input_audio_buffer.committed",
        "response.created",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_audio_transcript.delta",
        "response.output_audio.delta",
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.done",
    ]
    assert [kinds.index(kind) for kind in order] == sorted(kinds.index(kind) for kind in order)
    for event in seen:
        ADAPTER.validate_python(event.model_dump(exclude_unset=True), strict=False)

"""Events of the WebSocket, made up without end: each is done or refused, and the session lives."""

import asyncio
import json

import httpx2
from hypothesis import strategies as st
from tests.serve.budget import within
from tests.serve.client import connected

from mien.serve.realtime.inputs import ClientEvent

BUDGET_S = 3.0
EVENTS = 30  # for each session: fewer than are read at once
TYPES = [each.model_fields["type"].annotation.__args__[0] for each in ClientEvent.__args__]
FIELDS = sorted({name for each in ClientEvent.__args__ for name in each.model_fields} - {"type"})
HARD = [
    "", "\x00", "\ud7ff", "é" * 300, "../../etc/passwd", "AAAA", "item_x", "root", "joe", "audio/pcm", "inf",
    0, -1, 1 << 62, 2.5, True, None, [], {}, [[]], {"type": "realtime"}, {"type": "message", "role": "user"},
    {"type": "realtime", "audio": {"input": {"turn_detection": None}}}, {"type": "transcription"},
    {"type": "realtime", "audio": {"input": {"format": {"type": "audio/pcmu"}}}},
    {"type": "realtime", "output_modalities": ["text"]}, {"type": "realtime", "mien": {"face": True}},
    {"type": "realtime", "mien": {"persona": "nobody"}}, {"type": "function_call_output", "call_id": "x"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello."}]},
]  # fmt: skip

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
values = st.recursive(
    st.one_of(st.sampled_from(HARD), words, st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS, "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
fields = st.dictionaries(st.sampled_from(FIELDS), values, max_size=3)
tables = st.builds(lambda kind, rest: {"type": kind, **rest}, st.sampled_from(TYPES) | words, fields)
messages = st.one_of(
    tables.map(json.dumps),
    tables.map(json.dumps).flatmap(lambda text: st.integers(0, len(text)).map(lambda cut: text[:cut])),
    values.map(json.dumps),
    st.binary(max_size=40),
)
BATCHES = st.lists(messages, min_size=EVENTS // 2, max_size=EVENTS)


def is_error(event):
    """Whether an error event has the API's shape."""
    error = event["error"]
    return set(error) == {"type", "code", "message", "param", "event_id"} and all(
        isinstance(error[key], str) and error[key] for key in ("type", "code", "message")
    )


def test_whatever_comes_is_done_or_refused_and_the_session_lives(server):
    codes = set()

    async def send(batch):
        async with connected(server.ws) as client:
            for message in batch:
                await client.socket.send(message)
            await client.send("conversation.item.retrieve", item_id="none", event_id="the last")
            while True:
                event = await client.next()
                if event["type"] == "error":
                    assert is_error(event), event
                    assert event["error"]["type"] != "server_error", (event, batch)
                    codes.add(event["error"]["code"])
                    if event["error"]["event_id"] == "the last":
                        return

    within(BUDGET_S, BATCHES, lambda batch: asyncio.run(send(batch)), least=3)
    assert {"invalid_json", "missing_required_parameter", "item_not_found"} <= codes
    assert httpx2.get(f"{server.http}/healthz").json()["status"] == "ok"

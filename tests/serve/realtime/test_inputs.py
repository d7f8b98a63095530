import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types import realtime
from pydantic import TypeAdapter

from mien.serve.realtime.inputs import event_of, read, table_of
from mien.serve.realtime.settings import Settings
from mien.serve.refusals import RefusedError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
TYPES = (
    "session.update input_audio_buffer.append conversation.item.create conversation.item.truncate "
    "response.create mien.playhead mien.presented"
).split()
KEYS = "session audio item response sample ms response_id type event_id content_index audio_end_ms".split()


def refusal(read, given):
    try:
        read(given)
    except RefusedError as error:
        return error
    return None


@given(st.text(max_size=60))
def test_any_text_is_an_event_or_refused(text):
    error = refusal(table_of, text)
    assert error is None or error.code == "invalid_json"


@given(kind=st.sampled_from(TYPES), table=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=5))
def test_any_object_is_an_event_or_refused_by_name(kind, table):
    error = refusal(event_of, {**table, "type": kind})
    assert error is None or (error.message and error.param is not None and json.dumps(error.table()))


EVENTS = [
    {"type": "session.update", "session": {"type": "realtime", "audio": {"output": {"speed": 1.2}}}},
    {
        "type": "session.update",
        "session": {"type": "transcription", "audio": {"input": {"turn_detection": None}}},
    },
    {"type": "input_audio_buffer.append", "audio": "AAAA"},
    {"type": "input_audio_buffer.commit"},
    {"type": "input_audio_buffer.clear"},
    {"type": "conversation.item.retrieve", "item_id": "x"},
    {"type": "conversation.item.delete", "item_id": "x"},
    {"type": "conversation.item.truncate", "item_id": "x", "content_index": 0, "audio_end_ms": 10},
    {"type": "response.create", "response": {"instructions": "Greet.", "output_modalities": ["text"]}},
    {"type": "response.cancel", "response_id": "x"},
    {"type": "output_audio_buffer.clear"},
    {
        "type": "conversation.item.create",
        "item": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
    },
    {
        "type": "conversation.item.create",
        "item": {"type": "function_call_output", "call_id": "c", "output": "{}"},
    },
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["type"])
def test_what_openai_calls_an_event_is_read(event):
    TypeAdapter(realtime.RealtimeClientEvent).validate_python(event)
    assert read(json.dumps(event))[1].type == event["type"]


def test_what_is_left_out_stays_and_what_is_null_goes():
    before = Settings.model_validate({"audio": {"input": {"turn_detection": {"type": "server_vad"}}}})
    after = before.updated(
        Settings.model_validate({"instructions": "Be brief.", "audio": {"output": {"speed": 1.1}}})
    )
    assert after.audio.input.turn_detection == before.audio.input.turn_detection
    assert (after.instructions, after.audio.output.speed) == ("Be brief.", 1.1)
    off = after.updated(Settings.model_validate({"audio": {"input": {"turn_detection": None}}}))
    assert off.audio.input.turn_detection is None
    assert (off.answers, off.barge_in) == (False, "never")
    assert off.audio.output.speed == 1.1


def test_another_kind_of_turn_detection_begins_with_its_own_values():
    quick = {"audio": {"input": {"turn_detection": {"type": "server_vad", "silence_duration_ms": 200}}}}
    before = Settings().updated(Settings.model_validate(quick))
    other = {"audio": {"input": {"turn_detection": {"type": "server_vad", "threshold": 0.7}}}}
    detection = before.updated(Settings.model_validate(other)).audio.input.turn_detection
    assert (detection.silence_duration_ms, detection.threshold) == (500, 0.7)

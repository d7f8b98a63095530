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


@pytest.mark.parametrize(
    ("session", "param"),
    [
        ({"mien": {"video": {"width": 99_999}}}, "session.mien.video.width"),
        ({"mien": {"video": {"depth": 9}}}, "session.mien.video.depth"),
        ({"mien": {"video": 7}}, "session.mien.video"),
        (
            {"audio": {"input": {"format": {"type": "audio/pcm", "rate": 16_000}}}},
            "session.audio.input.format.rate",
        ),
        ({"audio": {"output": {"format": {"type": "mp3"}}}}, "session.audio.output.format"),
        ({"tools": [{"name": "a"}, {"name": "b c"}]}, "session.tools.1.name"),
        ({"tool_choice": {"type": "function"}}, "session.tool_choice"),
        ({"output_modalities": ["audio", "text"]}, "session.output_modalities"),
    ],
)
def test_what_is_wrong_is_named_as_the_client_wrote_it(session, param):
    error = refusal(event_of, {"type": "session.update", "session": {"type": "realtime", **session}})
    assert error.param == param
    assert param in error.message
    assert "\n" not in error.message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"type": ' + "9" * 5000 + "}", "a number has 5000 digits; up to 40"),
        ('{"type": Infinity}', "Infinity is no number in JSON"),
    ],
)
def test_what_python_can_not_read_is_told_in_words_of_json(text, says):
    error = refusal(table_of, text)
    assert says in error.message
    assert error.code == "invalid_json"


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

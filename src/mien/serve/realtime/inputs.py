"""What a client may send, read strictly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, TypeAdapter, ValidationError

from mien.errors import nearest
from mien.serve.realtime.settings import Settings, Strict, Text, Tool, ToolChoice
from mien.serve.refusals import RefusedError

LONGEST_TEXT = 8000
LONGEST_NUMBER = 40  # digits
Id = Annotated[str, Field(min_length=1, max_length=64)]


class Event(Strict):
    """What all have."""

    event_id: Annotated[str, Field(max_length=512)] | None = None


class SessionUpdate(Event):
    """Change settings."""

    type: Literal["session.update"]
    session: Settings


class Append(Event):
    """Sound, base64."""

    type: Literal["input_audio_buffer.append"]
    audio: str


class Commit(Event):
    """The turn is over."""

    type: Literal["input_audio_buffer.commit"]


class Clear(Event):
    """Forget what is being said."""

    type: Literal["input_audio_buffer.clear"]


class Content(Strict):
    """A part of a message."""

    type: Literal["input_text", "input_audio", "output_text", "output_audio", "text"]
    text: str | None = Field(default=None, max_length=LONGEST_TEXT)
    transcript: str | None = Field(default=None, max_length=LONGEST_TEXT)
    audio: str | None = None


class Item(Strict):
    """A message, a function's call or its output."""

    type: Literal["message", "function_call", "function_call_output"]
    id: Id | None = None
    object: Literal["realtime.item"] | None = None
    status: Literal["completed", "incomplete", "in_progress"] | None = None
    role: Literal["user", "assistant", "system"] | None = None
    content: list[Content] | None = Field(default=None, max_length=16)
    call_id: Text | None = None
    name: Text | None = None
    arguments: str | None = Field(default=None, max_length=LONGEST_TEXT)
    output: str | None = Field(default=None, max_length=LONGEST_TEXT)

    @property
    def words(self) -> str:
        """The text of its content."""
        return " ".join(part.text or part.transcript or "" for part in self.content or ()).strip()


class ItemCreate(Event):
    """Add an item."""

    type: Literal["conversation.item.create"]
    item: Item
    previous_item_id: Id | None = None


class ItemRetrieve(Event):
    """Show an item."""

    type: Literal["conversation.item.retrieve"]
    item_id: Id


class ItemDelete(Event):
    """Remove an item."""

    type: Literal["conversation.item.delete"]
    item_id: Id


class ItemTruncate(Event):
    """Only so much of an answer was heard."""

    type: Literal["conversation.item.truncate"]
    item_id: Id
    content_index: int = Field(ge=0, le=16)
    audio_end_ms: int = Field(ge=0, le=86_400_000)


class ResponseSettings(Strict):
    """How one answer differs."""

    output_modalities: list[Literal["text", "audio"]] | None = Field(default=None, min_length=1, max_length=1)
    instructions: str | None = Field(default=None, max_length=LONGEST_TEXT)
    tools: list[Tool] | None = Field(default=None, max_length=128)
    tool_choice: Literal["auto", "none", "required"] | ToolChoice | None = None
    metadata: Annotated[dict[str, Annotated[str, Field(max_length=512)]], Field(max_length=16)] | None = None
    input: list[Item] | None = Field(default=None, max_length=64)
    conversation: Literal["auto"] | None = None


class ResponseCreate(Event):
    """Answer."""

    type: Literal["response.create"]
    response: ResponseSettings | None = None


class ResponseCancel(Event):
    """Stop answering."""

    type: Literal["response.cancel"]
    response_id: Id | None = None


class OutputClear(Event):
    """Stop answering."""

    type: Literal["output_audio_buffer.clear"]


class Playhead(Event):
    """What is heard now."""

    type: Literal["mien.playhead"]
    sample: int = Field(ge=0, le=1 << 53)


class Presented(Event):
    """How late an answer was heard, and how far the face lay from the sound."""

    type: Literal["mien.presented"]
    response_id: Id
    ms: float = Field(ge=0, le=600_000, allow_inf_nan=False)
    av_offset_ms: float | None = Field(default=None, ge=-60_000, le=60_000, allow_inf_nan=False)


ClientEvent = (
    SessionUpdate | Append | Commit | Clear | ItemCreate | ItemRetrieve | ItemDelete | ItemTruncate
    | ResponseCreate | ResponseCancel | OutputClear | Playhead | Presented
)  # fmt: skip
_ADAPTER: TypeAdapter[ClientEvent] = TypeAdapter(Annotated[ClientEvent, Discriminator("type")])
_TYPES = [each.model_fields["type"].annotation.__args__[0] for each in ClientEvent.__args__]
_CODES = {"extra_forbidden": "unknown_parameter", "missing": "missing_required_parameter"}


def read(text: str) -> tuple[dict[str, Any], ClientEvent]:
    """Return a message as a table and as an event; raises `RefusedError`."""
    table = table_of(text)
    return table, event_of(table)


def table_of(text: str) -> dict[str, Any]:
    """Return a message's JSON object; raises `RefusedError`."""
    try:
        table = json.loads(text, parse_constant=_no_number, parse_int=_number)
    except RecursionError:
        raise RefusedError("the message is nested too deeply; send a flat event", "invalid_json") from None
    except ValueError as error:
        raise RefusedError(f"the message is no JSON: {str(error)[:120]}", "invalid_json") from None
    if not isinstance(table, dict):
        raise RefusedError("the message is no JSON object; send one with a type", "invalid_json")
    return table


def event_of(table: dict[str, Any]) -> ClientEvent:
    """Return the event that a table is; raises `RefusedError` that names what is wrong in it."""
    kind = table.get("type")
    if kind is None:
        raise RefusedError("the event has no type", "missing_required_parameter", "type")
    if kind not in _TYPES:
        near = nearest(str(kind)[:60], _TYPES)
        raise RefusedError(f"no event of type {str(kind)[:60]!r}{near}", "invalid_value", "type")
    try:
        return _ADAPTER.validate_python(table)
    except ValidationError as error:
        raise _refused(error, table) from None


def _refused(error: ValidationError, table: Any) -> RefusedError:
    """Return the first thing that is wrong."""
    first = error.errors(include_url=False, include_context=False)[0]
    param = _path(first["loc"][1:], table)
    code = _CODES.get(first["type"], "invalid_value")
    if code == "unknown_parameter":
        return RefusedError(f"unknown parameter: {param!r}", code, param)
    if code == "missing_required_parameter":
        return RefusedError(f"missing required parameter: {param!r}", code, param)
    given = first.get("input")
    shown = f", not {given!r}"[:80] if isinstance(given, str | int | float | bool) else ""
    return RefusedError(f"{param}: {first['msg'].lower()}{shown}", code, param)


def _path(place: Sequence[int | str], table: Any) -> str:
    """Return where in an event a place lies; of what pydantic says, what is no key is a name of its own for
    one of several forms, unless it comes last: a key that is missing.
    """
    names: list[str] = []
    for at, part in enumerate(place):
        keys = table if isinstance(table, dict) else range(len(table)) if isinstance(table, list) else ()
        last = at == len(place) - 1 and isinstance(table, dict) and str(part).isidentifier()
        if part in keys or last:
            names.append(str(part))
        table = table[part] if part in keys else table
    return ".".join(names)


def _number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number has {len(digits)} digits; up to {LONGEST_NUMBER} can be read")
    return int(digits)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")

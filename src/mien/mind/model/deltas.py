"""The chunks of a streamed chat completion → text and tool calls."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


class NonsenseError(ValueError):
    """What came is no chat completion."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model wants to do something: a topic by name, with what it knows of the slots.

    `arguments`: the JSON object as it came; `id`: the model's name for this call.
    """

    name: str
    values: Mapping[str, str]
    arguments: str = "{}"
    id: str = ""


@dataclass(slots=True)
class Deltas:
    """Collects a completion. `ended`: the model said that it is done."""

    ended: bool = False
    _names: dict[int, str] = field(default_factory=dict)
    _arguments: dict[int, str] = field(default_factory=dict)
    _ids: dict[int, str] = field(default_factory=dict)

    def take(self, data: str) -> Iterator[str]:
        """Yield the text of one event; raises `NonsenseError`."""
        if data.strip() == "[DONE]":
            self.ended = True
            return
        try:
            chunk = json.loads(data)
            if "error" in chunk:
                raise NonsenseError(f"the server says: {_short(chunk['error'])}")
            for choice in chunk["choices"]:
                yield from self._delta(choice.get("delta") or {})
                self.ended = self.ended or choice.get("finish_reason") is not None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, NonsenseError):
                raise
            raise NonsenseError(f"no chunk of a chat completion: {data[:80]!r}") from None

    def calls(self) -> list[ToolCall]:
        """Return the tool calls; raises `NonsenseError` for arguments that are no JSON object."""
        return [
            ToolCall(name, _values(text), text or "{}", self._ids.get(index, ""))
            for index, name in self._names.items()
            for text in (self._arguments.get(index, ""),)
        ]

    def _delta(self, delta: Mapping[str, Any]) -> Iterator[str]:
        for call in delta.get("tool_calls") or ():
            index, function = int(call.get("index", 0)), call.get("function") or {}
            if call.get("id"):
                self._ids[index] = str(call["id"])
            if function.get("name"):
                self._names[index] = str(function["name"])
            self._arguments[index] = self._arguments.get(index, "") + (function.get("arguments") or "")
        if isinstance(delta.get("content"), str) and delta["content"]:
            yield delta["content"]


def _values(text: str) -> dict[str, str]:
    try:
        table = json.loads(text or "{}")
    except (ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise NonsenseError(f"a tool's arguments are no JSON object: {text[:80]!r}")
    return {str(name): str(value) for name, value in table.items() if isinstance(value, str | int | float)}


def _short(value: Any) -> str:
    message = value.get("message", value) if isinstance(value, dict) else value
    return " ".join(str(message).split())[:200]

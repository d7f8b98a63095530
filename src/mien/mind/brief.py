"""What a client adds to a mind's language model: instructions, and functions that the client runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Function:
    """A function as OpenAI's chat completions name it; `parameters` is a JSON schema."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def table(self) -> dict[str, Any]:
        """Return it as a tool."""
        shape = dict(self.parameters) or {"type": "object", "properties": {}}
        function = {"name": self.name, "description": self.description, "parameters": shape}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """The model wants a function of the client's to run; `arguments` is a JSON object as text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Brief:
    """`choice`: `auto`, `none`, `required`, or a function's name. `results`: what functions that the last
    answer called have returned; a turn that has them goes on where it was.
    """

    instructions: str = ""
    functions: tuple[Function, ...] = ()
    choice: str = "auto"
    results: tuple[tuple[FunctionCall, str], ...] = ()

    def tools(self) -> dict[str, Any]:
        """Return the part of a request that offers the functions."""
        if not self.functions or self.choice == "none":
            return {}
        named = {"type": "function", "function": {"name": self.choice}}
        free = self.choice in ("auto", "required")
        offered = [function.table() for function in self.functions]
        return {"tools": offered, "tool_choice": self.choice if free else named}

    def messages(self) -> list[dict[str, Any]]:
        """Return the calls and their results as messages."""
        if not self.results:
            return []
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call, _ in self.results
        ]
        outputs = [
            {"role": "tool", "tool_call_id": call.id, "content": output} for call, output in self.results
        ]
        return [{"role": "assistant", "content": None, "tool_calls": calls}, *outputs]


NOTHING = Brief()

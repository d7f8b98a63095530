"""Where a conversation is: a small value that can be written down and taken up elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from mien.errors import CorruptError

FORMAT = 1
HISTORY = 40  # exchanges kept for a language model; older ones go
USED = 200  # wordings remembered
Waiting = Literal["value", "confirm", "change"]


@dataclass(frozen=True, slots=True)
class Form:
    """A form being filled: what it still waits for. `values`: what was given, by slot."""

    topic: str
    values: Mapping[str, str] = field(default_factory=dict)
    waiting: Waiting = "value"
    slot: str = ""
    wrong: int = 0

    def with_value(self, slot: str, value: str) -> Form:
        """Return the form with a slot filled."""
        return replace(self, values={**self.values, slot: value}, wrong=0)


@dataclass(frozen=True, slots=True)
class MindState:
    """A conversation as far as the mind remembers it. `forms`: the one being filled is last.

    `history`: ("user" or "assistant", text). `used`: the last wording of each thing said.
    """

    language: str = "en"
    turns: int = 0
    forms: tuple[Form, ...] = ()
    doubt: tuple[str, ...] = ()
    offered: bool = False
    lost: int = 0
    handed_over: bool = False
    used: Mapping[str, int] = field(default_factory=dict)
    history: tuple[tuple[str, str], ...] = ()

    def said(self, role: str, text: str) -> MindState:
        """Return the state with one more entry in its history."""
        return replace(self, history=(*self.history, (role, text))[-2 * HISTORY :])

    def heard_only(self, text: str) -> MindState:
        """Return the state after an interruption: of the last answer, only `text` was heard."""
        if not self.history or self.history[-1][0] != "assistant":
            return self
        kept = (("assistant", text),) if text.strip() else ()
        return replace(self, history=(*self.history[:-1], *kept))

    def with_used(self, key: str, way: int) -> MindState:
        """Return the state that remembers which wording was used last."""
        used = {name: each for name, each in self.used.items() if name != key}
        return replace(self, used=dict([*used.items(), (key, way)][-USED:]))

    def to_json(self) -> str:
        """Return the state as JSON."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> MindState:
        """Read what `to_json` wrote; raises `CorruptError` for anything else."""
        try:
            table = json.loads(text)
            if not isinstance(table, dict) or table.pop("format", None) != FORMAT:
                raise ValueError
            return _state(table)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise CorruptError(
                f"not the state of a mind of format {FORMAT}; begin a new conversation"
            ) from None


def _state(table: dict[str, Any]) -> MindState:
    forms = tuple(Form(**form) for form in table.pop("forms"))
    history = tuple((str(role), str(text)) for role, text in table.pop("history"))
    return MindState(forms=forms, history=history, doubt=tuple(table.pop("doubt")), **table)

"""What a turn leads to, before anything is said or called: plain values, so that policies are pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mien.mind.state import MindState
from mien.mind.template import Texts


@dataclass(frozen=True, slots=True)
class Say:
    """Say one of the ways, its fields filled with `values`."""

    texts: Texts
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """Call the action of a topic; what follows depends on its outcome."""

    topic: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HandOver:
    """Let a human take over; `reason` is a topic's name, or `"lost"` after too many misunderstandings."""

    reason: str


@dataclass(frozen=True, slots=True)
class Think:
    """Ask the language model; `passages` are the topics that it may draw on, nearest first."""

    question: str
    passages: tuple[str, ...]


Act = Say | Call | HandOver | Think
Step = tuple[MindState, tuple[Act, ...]]

"""What a mind's folder says, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mien.face.feeling import Emotion
from mien.mind.template import NOTHING, Texts

Kind = Literal["intent", "knowledge", "small_talk", "refuse", "hand_over", "greeting"]
SlotKind = Literal["digits", "number", "choice", "text"]
Phrases = Mapping[str, tuple[str, ...]]
"""Phrases by language."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Something a form asks for. `least` and `most`: digits, characters or the number's value."""

    name: str
    kind: SlotKind
    ask: Texts
    wrong: Texts = NOTHING
    title: Mapping[str, str] = field(default_factory=dict)
    least: float = 1
    most: float = 64
    luhn: bool = False
    options: Mapping[str, Phrases] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Action:
    """An HTTP call. `gives`: fields of the JSON answer by the name that templates use."""

    method: str
    url: str
    timeout_s: float = 3.0
    tries: int = 2
    gives: Mapping[str, str] = field(default_factory=dict)
    key_env: str | None = None
    failed: Texts = NOTHING
    refused: Texts = NOTHING


@dataclass(frozen=True, slots=True)
class Topic:
    """Something people say, and what follows: an answer, or a form and an action."""

    name: str
    kind: Kind
    examples: Phrases
    answer: Texts
    title: Mapping[str, str] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()
    confirm: Texts = NOTHING
    action: Action | None = None
    hands_over: bool = False

    def called(self, language: str) -> str:
        """Return what the topic is called in a question such as "Do you mean …?"."""
        own = self.title.get(language) or next(iter(self.title.values()), "")
        return own or next(iter(self.examples.get(language, ())), self.name)

    def slot(self, name: str) -> Slot:
        """Return a slot by its name."""
        return next(slot for slot in self.slots if slot.name == name)


@dataclass(frozen=True, slots=True)
class Manners:
    """How the persona behaves. `phrases`: what it says at which occasion; `signals`: what it listens for."""

    phrases: Mapping[str, Texts]
    signals: Mapping[str, Phrases]
    tone: Emotion | None = None
    patience: int = 3  # wrong answers or unknown questions before a human is offered


@dataclass(frozen=True, slots=True)
class Content:
    """All that a mind knows."""

    topics: Mapping[str, Topic]
    manners: Manners
    languages: tuple[str, ...]

    def of_kind(self, kind: Kind) -> tuple[Topic, ...]:
        """Return the topics of a kind."""
        return tuple(topic for topic in self.topics.values() if topic.kind == kind)

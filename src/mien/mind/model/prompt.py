"""What a language model is told: who it is, what is known, what was said, and what it may do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mien.mind.content import Content, Slot, Topic
from mien.mind.model.settings import Settings
from mien.mind.state import MindState

_RULES = (
    "You speak aloud as a receptionist. Answer in one to three short sentences without lists, Markdown or "
    "emoji, in the language with the code {language}. Use only the knowledge below; when it has not the "
    "answer, say so and offer a colleague. Never invent figures, and never ask for passwords or PINs."
)
_TYPES = {"digits": "string", "number": "number", "choice": "string", "text": "string"}


def messages(
    content: Content, settings: Settings, state: MindState, passages: Sequence[str], instructions: str = ""
) -> list[dict[str, str]]:
    """Return the messages: rules and knowledge first, then what fits of the conversation, the turn last.

    `instructions` are a client's, behind those of the mind.
    """
    known = "\n".join(_passages(content, passages, state.language))
    own = (settings.instructions, instructions, _RULES.format(language=state.language))
    rules = " ".join(part for part in own if part)
    system = f"{rules}\n\nKnowledge:\n{known or '(nothing about this)'}"
    return [{"role": "system", "content": system}, *_compacted(state.history, settings.history)]


def tools(content: Content) -> list[dict[str, Any]]:
    """Return the topics that do something, as functions the model may call."""
    return [
        _tool(topic) for topic in content.of_kind("intent") if topic.slots or topic.action or topic.hands_over
    ]


def _compacted(history: Iterable[tuple[str, str]], limit: int) -> list[dict[str, str]]:
    """Return the latest messages within `limit` characters, the last always; runs of one role become one."""
    kept: list[tuple[str, str]] = []
    size = 0
    for role, text in reversed(tuple(history)):
        size += len(text)
        if kept and size > limit:
            break
        if kept and kept[-1][0] == role:
            kept[-1] = (role, f"{text}\n{kept[-1][1]}")
        else:
            kept.append((role, text))
    if len(kept) > 1 and kept[-1][0] == "assistant":
        kept.pop()  # many servers want the user's turn first
    return [{"role": role, "content": text} for role, text in reversed(kept)]


def _passages(content: Content, names: Iterable[str], language: str) -> Iterable[str]:
    for name in names:
        topic = content.topics[name]
        if topic.kind in ("knowledge", "refuse"):
            yield f"- {topic.called(language)}: {next(iter(topic.answer.of(language)), '')}"


def _tool(topic: Topic) -> dict[str, Any]:
    about = "; ".join(example for each in topic.examples.values() for example in each[:2])
    parameters = {"type": "object", "properties": {slot.name: _property(slot) for slot in topic.slots}}
    description = f"For a user who says such as: {about}. Leave out what the user did not say."
    return {
        "type": "function",
        "function": {"name": topic.name, "description": description, "parameters": parameters},
    }


def _property(slot: Slot) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": _TYPES[slot.kind],
        "description": next(iter(slot.title.values()), slot.name),
    }
    return {**found, "enum": list(slot.options)} if slot.options else found

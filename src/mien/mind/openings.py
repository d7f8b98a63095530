"""With what answers may begin: all that a mind says in its own words, whoever asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mien.mind.content import Content, Topic
from mien.mind.template import Part, Texts, render


@dataclass(frozen=True, slots=True)
class Opening:
    """The first parts of an answer; `ends`: there is no more of it, nothing is filled in behind them."""

    parts: tuple[Part, ...]
    ends: bool


def openings(content: Content) -> Iterator[Opening]:
    """Yield every wording in every language, up to its first field."""
    said = [*content.manners.phrases.values()]
    for topic in content.topics.values():
        said += _texts(topic)
    for texts in said:
        for language, ways in texts.ways.items():
            for way in ways:
                fixed, field, _ = way.partition("{")
                parts = tuple(render(fixed, {}, language, content.manners.tone))
                if parts:
                    yield Opening(parts, ends=not field)


def _texts(topic: Topic) -> Iterator[Texts]:
    yield from (topic.answer, topic.confirm)
    for slot in topic.slots:
        yield from (slot.ask, slot.wrong)
    if topic.action is not None:
        yield from (topic.action.failed, topic.action.refused)

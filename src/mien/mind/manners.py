"""`manners.yaml`: how the persona greets, asks again, refuses, hands over and chats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mien.errors import InputError
from mien.face.feeling import Emotion
from mien.mind import source
from mien.mind.content import Kind, Manners, Topic
from mien.mind.intents import phrases, title
from mien.mind.source import Entry
from mien.mind.template import Texts, read_texts

DEFAULTS = Path(__file__).parent / "manners.yaml"
# what is said at an occasion, and the fields that its texts may hold
OCCASIONS: Mapping[str, frozenset[str]] = {
    "welcome": frozenset(),
    "unknown": frozenset(),
    "clarify": frozenset({"first", "second"}),
    "clarify_one": frozenset({"first"}),
    "offer_human": frozenset(),
    "handing_over": frozenset(),
    "cancelled": frozenset(),
    "back_to": frozenset({"title"}),
    "wrong": frozenset(),
    "what_to_change": frozenset(),
    "failed": frozenset(),
    "refused": frozenset(),
    "go_on": frozenset(),
    "corrected": frozenset(),
}
SIGNALS = ("yes", "no", "cancel", "correct", "first", "second", "repeat", "fillers", "lead_ins")
GROUPS: tuple[Kind, ...] = ("greeting", "small_talk", "refuse", "hand_over")
_TOPIC = ("title", "examples", "answer")


def read(file: Path | None) -> tuple[Manners, tuple[Topic, ...]]:
    """Read the file over mien's own manners: what it does not say stays. None is mien's own alone.

    Raises `InputError` with the file and the line of what is wrong.
    """
    own, own_topics = _read(DEFAULTS)
    if file is None:
        return own, own_topics
    given, topics = _read(file)
    merged = Manners(
        {**own.phrases, **given.phrases},
        {**own.signals, **given.signals},
        given.tone or own.tone,
        given.patience,
    )
    return merged, tuple({topic.name: topic for topic in (*own_topics, *topics)}.values())


def _read(file: Path) -> tuple[Manners, tuple[Topic, ...]]:
    table = source.read(file).table("manners.yaml", [*OCCASIONS, "signals", "tone", "patience", *GROUPS])
    said = {key: _said(table[key], key, fields) for key, fields in OCCASIONS.items() if key in table}
    signals = table["signals"].table("signals", SIGNALS) if "signals" in table else {}
    patience = int(table["patience"].number("patience", 1, 20)) if "patience" in table else 3
    manners = Manners(
        said, {key: phrases(each, key) for key, each in signals.items()}, _tone(table), patience
    )
    return manners, tuple(topic for kind in GROUPS if kind in table for topic in _topics(kind, table[kind]))


def _said(entry: Entry, key: str, fields: frozenset[str]) -> Texts:
    texts = read_texts(entry, key, fields)
    if not texts:
        raise entry.error(f"{key} says nothing; write a text, or remove the line")
    return texts


def _topics(kind: Kind, entry: Entry) -> tuple[Topic, ...]:
    table = entry.table(kind)
    if "examples" in table and "answer" in table:
        return (_topic(kind, kind, entry),)
    return tuple(_topic(kind, name, inner) for name, inner in table.items())


def _topic(kind: Kind, name: str, entry: Entry) -> Topic:
    table = entry.table(name, _TOPIC)
    for key in ("examples", "answer"):
        if key not in table:
            raise entry.error(f"{name} has no {key!r}; add '{key}:' with a list below it")
    return Topic(
        name=name,
        kind=kind,
        examples=phrases(table["examples"], f"{name}: examples"),
        answer=read_texts(table["answer"], f"{name}.answer"),
        title=title(table.get("title")),
        hands_over=kind == "hand_over",
    )


def _tone(table: Mapping[str, Entry]) -> Emotion | None:
    if "tone" not in table:
        return None
    name, _, strength = table["tone"].text("tone").partition(" ")
    try:
        return Emotion(name, float(strength or 1.0))
    except (InputError, ValueError) as error:
        raise table["tone"].error(
            f"tone {name!r} {strength!r}: {error}; write it as 'tone: happy 0.3'"
        ) from None

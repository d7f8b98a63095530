"""`intents.yaml`: what people want, how they say it, what has to be asked, and what is done then."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from mien.errors import nearest
from mien.mind import source
from mien.mind.content import Action, Phrases, Slot, SlotKind, Topic
from mien.mind.source import Entry
from mien.mind.template import NOTHING, Texts, by_language, read_texts

TOPIC = ("title", "examples", "answer", "slots", "confirm", "action", "then")
SLOT = ("title", "kind", "ask", "wrong", "least", "most", "length", "checksum", "options")
ACTION = ("method", "url", "timeout_s", "tries", "gives", "key_env", "failed", "refused")
KINDS: tuple[SlotKind, ...] = ("digits", "number", "choice", "text")
_FIELD = re.compile(r"\{(\w+)\}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")


def read(file: Path) -> tuple[Topic, ...]:
    """Read the file. Raises `InputError` with the file and the line of what is wrong."""
    return tuple(_topic(name, entry) for name, entry in source.read(file).table("intents.yaml").items())


def phrases(entry: Entry | None, what: str) -> Phrases:
    """Return phrases by language; none for nothing."""
    if entry is None:
        return {}
    found = by_language(entry, what)
    return {language: tuple(line.text(what) for line in lines) for language, lines in found.items()}


def title(entry: Entry | None) -> Mapping[str, str]:
    """Return one name by language."""
    return {language: names[0] for language, names in phrases(entry, "title").items() if names}


def _topic(name: str, entry: Entry) -> Topic:
    table = entry.table(name, TOPIC)
    for key in ("examples", "answer"):
        if key not in table:
            raise entry.error(f"{name} has no {key!r}; add '{key}:' with a list below it")
    slots = tuple(_slot(each, inner) for each, inner in _inner(table, "slots").items())
    action = _action(name, table["action"], slots) if "action" in table else None
    filled = frozenset(slot.name for slot in slots)
    given = filled | (frozenset(action.gives) if action else frozenset())
    _one_way(name, table, slots)
    return Topic(
        name=name,
        kind="intent",
        examples=phrases(table["examples"], f"{name}: examples"),
        answer=read_texts(table["answer"], f"{name}.answer", given),
        title=title(table.get("title")),
        slots=slots,
        confirm=read_texts(table.get("confirm"), f"{name}.confirm", filled),
        action=action,
        hands_over="then" in table and table["then"].choice(f"{name}: then", ["hand_over"]) == "hand_over",
    )


def _one_way(name: str, table: Mapping[str, Entry], slots: tuple[Slot, ...]) -> None:
    if "confirm" in table and not slots:
        raise table["confirm"].error(
            f"{name} confirms, but asks for nothing; add 'slots:' or remove 'confirm:'"
        )


def _inner(table: Mapping[str, Entry], key: str) -> Mapping[str, Entry]:
    return table[key].table(key) if key in table else {}


def _slot(name: str, entry: Entry) -> Slot:
    table = entry.table(name, SLOT)
    if "ask" not in table:
        raise entry.error(f"slot {name} has no 'ask'; add the question with which to ask for it")
    kind: SlotKind = "text"
    if "kind" in table:
        word = table["kind"].choice(f"{name}: kind", KINDS)
        kind = next(each for each in KINDS if each == word)
    least, most = _bounds(name, kind, table)
    return Slot(
        name=name,
        kind=kind,
        ask=read_texts(table["ask"], f"{name}.ask"),
        wrong=read_texts(table.get("wrong"), f"{name}.wrong"),
        title=title(table.get("title")),
        least=least,
        most=most,
        luhn="checksum" in table and table["checksum"].choice(f"{name}: checksum", ["luhn"]) == "luhn",
        options=_options(name, kind, entry, table),
    )


def _bounds(name: str, kind: SlotKind, table: Mapping[str, Entry]) -> tuple[float, float]:
    low, high = (-1e15, 1e15) if kind == "number" else (1.0, 200.0)
    if "length" in table:
        length = table["length"].number(f"{name}: length", low, high)
        return length, length
    least = table["least"].number(f"{name}: least", low, high) if "least" in table else low
    most = table["most"].number(f"{name}: most", low, high) if "most" in table else high
    if least > most:
        raise table["least"].error(f"{name}: least {least:g} is more than most {most:g}; swap them")
    return least, most


def _options(name: str, kind: SlotKind, entry: Entry, table: Mapping[str, Entry]) -> Mapping[str, Phrases]:
    if (kind == "choice") != ("options" in table):
        need = (
            "needs 'options:', one for each choice"
            if kind == "choice"
            else "has 'options:' but no 'kind: choice'"
        )
        raise entry.error(f"slot {name} {need}")
    return {each: phrases(inner, each) for each, inner in _inner(table, "options").items()}


def _action(name: str, entry: Entry, slots: tuple[Slot, ...]) -> Action:
    table = entry.table(f"{name}: action", ACTION)
    if "url" not in table:
        raise entry.error(f"{name}: action has no 'url'; add the address to call")
    names = {slot.name for slot in slots}
    url = table["url"].text("url")
    for field in _FIELD.findall(_VARIABLE.sub("", url)):
        if field not in names:
            raise table["url"].error(f"no slot {field!r} fills {{{field}}}{nearest(field, names)}")
    if not url.startswith(("http://", "https://", "${")):
        raise table["url"].error(f"url {url!r} must begin with http://, https:// or a ${{VARIABLE}}")
    method = (
        table["method"].choice("method", ["GET", "POST", "PUT", "DELETE"]) if "method" in table else "GET"
    )
    return Action(
        method=method,
        url=url,
        timeout_s=table["timeout_s"].number("timeout_s", 0.05, 60) if "timeout_s" in table else 3.0,
        tries=int(table["tries"].number("tries", 1, 5))
        if "tries" in table
        else (2 if method == "GET" else 1),
        gives={each: inner.text(each) for each, inner in _inner(table, "gives").items()},
        key_env=table["key_env"].text("key_env") if "key_env" in table else None,
        failed=_spoken(table, "failed", name),
        refused=_spoken(table, "refused", name),
    )


def _spoken(table: Mapping[str, Entry], key: str, name: str) -> Texts:
    return read_texts(table[key], f"{name}.{key}") if key in table else NOTHING


def address(url: str) -> str:
    """Return an action's address with its `${VARIABLE}`s from the environment; one that is not set stays."""
    return _VARIABLE.sub(lambda match: os.environ.get(match[1], match[0]), url)

"""From what was said to what a slot holds, and back to what is said of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mien.mind import digits
from mien.mind.content import Manners, Slot, Topic
from mien.mind.language import tokens

_EDGES = " \t\n.,;:!?\"'。，；：！？、“”"
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_MOSTLY = 0.4  # a choice is meant when it is this share of what was said


def find(slot: Slot, text: str, manners: Manners) -> str | None:
    """Return the value for a slot that a text holds, checked; None when it holds none."""
    if slot.kind == "digits":
        return _digits(slot, text)
    if slot.kind == "number":
        return _number(slot, text)
    if slot.kind == "choice":
        return _choice(slot, text)
    value = without_lead_in(text, manners)
    return value if slot.least <= len(value) <= slot.most else None


def sure(slot: Slot, text: str) -> bool:
    """Whether a text is about the slot's value and little else: a question may name a choice as well."""
    if slot.kind != "choice":
        return slot.kind in ("digits", "number")
    spoken = max((len(tokens(phrase)) for _, phrase in _held(slot, text)), default=0)
    return spoken >= _MOSTLY * len(tokens(text))


def without_lead_in(text: str, manners: Manners) -> str:
    """Return a text without "my name is" at its beginning and signs at its ends."""
    value = text.strip(_EDGES)
    for name in ("fillers", "lead_ins"):
        phrases = (phrase for each in manners.signals.get(name, {}).values() for phrase in each)
        for phrase in sorted(phrases, key=len, reverse=True):
            rest = value[len(phrase) :]
            if value.casefold().startswith(phrase.casefold()) and (
                not phrase.isascii() or not rest[:1].isalnum()
            ):
                value = rest.strip(_EDGES) or value
                break
    return value


def spoken(topic: Topic, values: Mapping[str, str], language: str) -> dict[str, str]:
    """Return the values as they are said: a choice by its name in the language."""
    said = dict(values)
    for slot in topic.slots:
        phrases = slot.options.get(values.get(slot.name, ""), {}).get(language, ())
        if phrases:
            said[slot.name] = phrases[0]
    return said


def valid(slot: Slot, value: str, manners: Manners) -> str | None:
    """Return a value that a program gave, checked like a spoken one."""
    if slot.kind == "choice" and value in slot.options:
        return value
    return find(slot, value, manners)


def _digits(slot: Slot, text: str) -> str | None:
    found = digits.runs(text)
    for run in (*found, "".join(found)):
        if slot.least <= len(run) <= slot.most and (not slot.luhn or digits.luhn(run)):
            return run
    return None


def _number(slot: Slot, text: str) -> str | None:
    written: list[str] = [match.replace(",", ".") for match in _NUMBER.findall(text)]
    for each in (*written, *digits.runs(text)):
        if slot.least <= float(each) <= slot.most:
            return each
    return None


def _choice(slot: Slot, text: str) -> str | None:
    held = _held(slot, text)
    longest = max((len(tokens(phrase)) for _, phrase in held), default=0)
    values: set[str] = {value for value, phrase in held if len(tokens(phrase)) == longest}
    return next(iter(values)) if len(values) == 1 else None


def _held(slot: Slot, text: str) -> list[tuple[str, str]]:
    """Return the choices, with their phrases, that a text holds."""
    said = f" {' '.join(tokens(text))} "
    return [
        (value, phrase)
        for value, phrases in slot.options.items()
        for each in phrases.values()
        for phrase in each
        if f" {' '.join(tokens(phrase))} " in said
    ]

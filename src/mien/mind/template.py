"""What can be said: texts with fields and feelings, in several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mien.errors import InputError, nearest
from mien.face.feeling import Emotion
from mien.mind.brief import FunctionCall
from mien.mind.language import of_text
from mien.mind.source import Entry

FILTERS = ("digits", "last4")
_FIELD = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"(\w+)(?:\|(\w+))?")
_FEELING = re.compile(r"\[([a-z]+)(?: +([\d.]+))?\]\s*")
Values = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text to say. `emotion` None is the persona's own mood; `language` is ISO 639-1.

    Numbers, dates and units are left as written: the voice's normaliser reads them. `call`: instead of text,
    a function that the client is to run.
    """

    text: str
    emotion: Emotion | None = None
    language: str = "en"
    call: FunctionCall | None = None


@dataclass(frozen=True, slots=True)
class Texts:
    """Ways to say one thing, by language. `key` tells it from others: no wording comes twice running."""

    key: str
    ways: Mapping[str, tuple[str, ...]]

    def __bool__(self) -> bool:
        return bool(self.ways)

    def of(self, language: str) -> tuple[str, ...]:
        """Return the ways in a language, or in the first there is."""
        return self.ways.get(language) or next(iter(self.ways.values()), ())


NOTHING = Texts("", {})


def read_texts(entry: Entry | None, key: str, fields: frozenset[str] = frozenset()) -> Texts:
    """Read ways to say something: a text, a list, or a table by language.

    Without a table the script tells the language. Raises `InputError` for an unknown field or feeling.
    """
    if entry is None:
        return NOTHING
    ways = by_language(entry, key)
    for language, lines in ways.items():
        for line in lines:
            check(line, fields)
        ways[language] = lines
    return Texts(key, {language: tuple(line.text(key) for line in lines) for language, lines in ways.items()})


def by_language(entry: Entry, what: str) -> dict[str, tuple[Entry, ...]]:
    """Return the texts of an entry by language, in the order in which they are written."""
    if isinstance(entry.value, Mapping):
        return {_language(code, each): each.entries(what) for code, each in entry.value.items()}
    found: dict[str, tuple[Entry, ...]] = {}
    for each in entry.entries(what):
        code = of_text(each.text(what), "en")
        found[code] = (*found.get(code, ()), each)
    return found


def _language(code: str, entry: Entry) -> str:
    if not re.fullmatch(r"[a-z]{2,3}", code):
        raise entry.error(f"{code!r} is no language; write 'en:' for English or 'zh:' for Chinese")
    return code


def check(entry: Entry, fields: frozenset[str]) -> None:
    """Raise `InputError` for a field that nothing fills or a feeling that no face shows."""
    text = entry.text("a text")
    for inner in _FIELD.findall(text):
        match = _NAME.fullmatch(inner)
        if not match or match[1] not in fields:
            raise entry.error(
                f"nothing fills {{{inner}}}{nearest(inner, fields) or '; there are no fields here'}"
            )
        if match[2] and match[2] not in FILTERS:
            raise entry.error(f"{{{inner}}}: no way to write {match[2]!r}{nearest(match[2], FILTERS)}")
    for name, strength in _FEELING.findall(text):
        try:
            Emotion(name, float(strength or 1.0))
        except (InputError, ValueError) as error:
            raise entry.error(f"[{name} {strength}]: {error}") from None


def render(text: str, values: Values, language: str, tone: Emotion | None = None) -> Iterator[Part]:
    """Yield the parts of a template, split where the feeling changes; `tone` holds where it says none."""
    feeling = tone
    start = 0
    for match in _FEELING.finditer(text):
        yield from _part(text[start : match.start()], values, language, feeling)
        feeling = Emotion(match[1], float(match[2] or 1.0))
        start = match.end()
    yield from _part(text[start:], values, language, feeling)


def _part(text: str, values: Values, language: str, feeling: Emotion | None) -> Iterator[Part]:
    if text.strip():
        yield Part(_FIELD.sub(lambda match: _filled(match[1], values), text), feeling, language)


def _filled(field: str, values: Values) -> str:
    name, _, way = field.partition("|")
    value = values.get(name, "")
    if way == "last4":
        value = value[-4:]
    return " ".join(value) if way else value

"""`knowledge/*.md`: facts as headings with text below; a list under a heading is other ways to ask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mien.contents import contents
from mien.mind.content import Topic
from mien.mind.language import of_text
from mien.mind.source import Entry, Place
from mien.mind.template import Texts, check

_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*$")
_ITEM = re.compile(r"[-*]\s+(.+)$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NO_FIELDS: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Section:
    place: Place
    heading: str
    ways: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> None:
        item = _ITEM.match(line)
        if item and not any(self.lines):
            self.ways.append(item[1])
        else:
            self.lines.append(line)


def read(file: Path) -> tuple[Topic, ...]:
    """Return one topic for each heading with text below it.

    Raises `InputError` with the line of a text before any heading, or of a question without an answer.
    """
    try:
        text = contents(file, "knowledge").decode()
    except UnicodeDecodeError:
        raise Place(file, 1).error("not UTF-8; save the file as UTF-8") from None
    return tuple(_topic(section) for section in _sections(file, text) if section.ways or any(section.lines))


def _sections(file: Path, text: str) -> Iterator[_Section]:
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    section: _Section | None = None
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        heading = _HEADING.match(line)
        if heading:
            if section:
                yield section
            section = _Section(Place(file, number), heading[1])
        elif section:
            section.add(line)
        elif line:
            raise Place(file, number).error("text before the first heading; put '## The question' above it")
    if section:
        yield section


def _topic(section: _Section) -> Topic:
    answer = "\n\n".join(
        " ".join(block.split("\n")) for block in re.split(r"\n{2,}", "\n".join(section.lines).strip())
    )
    if not answer:
        raise section.place.error(
            f"{section.heading!r} has no answer; write it below the list, after an empty line"
        )
    check(Entry(section.place, answer), _NO_FIELDS)
    language = of_text(answer, "en")
    examples: dict[str, tuple[str, ...]] = {}
    for way in (section.heading, *section.ways):
        code = of_text(way, language)
        examples[code] = (*examples.get(code, ()), way)
    name = f"{section.place.file.stem}: {section.heading}"
    return Topic(
        name=name,
        kind="knowledge",
        examples=examples,
        answer=Texts(name, {language: (answer,)}),
        title={language: section.heading.rstrip("?？")},
    )

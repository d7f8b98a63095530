"""A mind's folder → its content."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mien.errors import InputError, MissingError
from mien.mind import intents, knowledge, manners
from mien.mind.content import Content, Topic

KNOWN = ("intents.yaml", "manners.yaml", "model.yaml")


def read(folder: Path) -> Content:
    """Read `intents.yaml`, `manners.yaml` and `knowledge/*.md`; each may be left out, not all.

    Raises `MissingError` when there is no such folder, `InputError` with file and line when it is wrong.
    """
    if not folder.is_dir():
        raise MissingError(f"no mind in {folder}; make one: mien persona new NAME")
    _only_known(folder)
    file = folder / "manners.yaml"
    behaviour, chat = manners.read(file if file.is_file() else None)
    wants = intents.read(folder / "intents.yaml") if (folder / "intents.yaml").is_file() else ()
    facts = [topic for each in sorted(folder.glob("knowledge/*.md")) for topic in knowledge.read(each)]
    if not wants and not facts:
        raise InputError(
            f"{folder} knows nothing; add intents.yaml, or knowledge/facts.md with a '## question'"
        )
    own = [*wants, *facts]
    return Content(_unique(folder, (*chat, *own)), behaviour, _languages(own))


def _only_known(folder: Path) -> None:
    for each in folder.iterdir():
        if each.suffix in (".yaml", ".yml") and each.name not in KNOWN:
            raise InputError(f"{each} is not read; a mind's files are {', '.join(KNOWN)} and knowledge/*.md")


def _unique(folder: Path, topics: Iterable[Topic]) -> dict[str, Topic]:
    found: dict[str, Topic] = {}
    for topic in topics:
        if topic.name in found:
            raise InputError(f"{folder}: {topic.name!r} is here twice; rename one of them, or merge the two")
        found[topic.name] = topic
    return found


def _languages(topics: Iterable[Topic]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(language for topic in topics for language in topic.answer.ways))

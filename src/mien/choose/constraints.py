"""What must hold, as a user states it: a TOML file, or answers to questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from mien.contents import contents, parse_toml
from mien.errors import InputError, nearest


@dataclass(frozen=True, slots=True)
class Constraints:
    """`use`: a conversation or films. `language`: what is spoken, ISO 639-1. `answer_ms`: from the last word
    to the answer's first sound, at the median. `words_may_go`: where what people say may go at most.
    `offline`: without a network at run time. `client`: what shows the face. `knowledge`: answers from files
    alone, or to anything. `sessions`: how many talk at once. `cores`, `memory_gb`, `gpu`: the machine.
    `budget_per_hour`: what services of others may cost while somebody talks, in your currency. `licence`: of
    what you pass on to others.
    """

    use: str = "talk"
    language: str = "en"
    answer_ms: float = 500.0
    words_may_go: str = "machine"
    offline: bool = True
    client: str = "browser"
    knowledge: str = "files"
    sessions: int = 1
    cores: int = 2
    memory_gb: float = 4.0
    gpu: str = "none"
    budget_per_hour: float = 0.0
    licence: str = "any"


VALID: Final[Mapping[str, tuple[str, ...]]] = {
    "use": ("talk", "film"),
    "words_may_go": ("machine", "network", "anywhere"),
    "client": ("browser", "browser-without-webgl", "film", "engine"),
    "knowledge": ("files", "open"),
    "gpu": ("none", "any", "nvidia"),
    "licence": ("any", "no-copyleft"),
}
QUESTIONS: Final[Mapping[str, str]] = {
    "use": "A conversation (talk), or films (film)?",
    "language": "Which language is spoken (en, zh, ...)?",
    "client": "What shows the face: a browser, a browser without WebGL, a film's file, a game engine?",
    "words_may_go": "Where may people's words go at most: this machine, your own network, anywhere?",
    "offline": "Must it run without a network?",
    "knowledge": "Does it answer from files that you write (files), or anything (open)?",
    "answer_ms": "Milliseconds from the last word to the answer that you can bear, at the median?",
    "sessions": "How many talk at once?",
    "cores": "How many cores does the machine have?",
    "memory_gb": "How many gigabytes of memory?",
    "gpu": "Which GPU has it: none, any, nvidia?",
    "budget_per_hour": "What may services of others cost an hour of talking?",
    "licence": "Do you pass the software on and want no copyleft in it (no-copyleft), or not (any)?",
}


def read(path: Path) -> Constraints:
    """Read a file of constraints; raises `MissingError`, and `InputError` naming what is wrong in it."""
    hint = "make one: mien choose --example > constraints.toml"
    try:
        table = parse_toml(contents(path, "constraints", hint))
    except ValueError as error:
        raise InputError(f"{path} is no TOML: {error}; {hint}") from None
    return parse(table, str(path))


def parse(table: Mapping[str, Any], where: str = "constraints") -> Constraints:
    """Return constraints; raises `InputError` for an unknown key or a value that is not valid."""
    types = {each.name: type(each.default) for each in fields(Constraints)}
    for name in table:
        if name not in types:
            raise InputError(f"{where}: no constraint {name!r}{nearest(name, types)}")
    return Constraints(**{name: checked(name, value, where) for name, value in table.items()})


def checked(name: str, value: Any, where: str = "constraints") -> Any:
    """Return the value of one constraint in its type; raises `InputError`."""
    kind = type(getattr(Constraints(), name))
    wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "a word in quotes"}[kind]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise InputError(f"{where}: {name} is {value!r}; write {wanted}")
    if name in VALID and value not in VALID[name]:
        raise InputError(f"{where}: {name} is {value!r}{nearest(value, VALID[name])}")
    if kind in (int, float) and value < (0 if name == "budget_per_hour" else 1):
        raise InputError(f"{where}: {name} is {value:g}; write a larger number")
    return value


def example() -> str:
    """Return a file of constraints with the usual values, each with its question."""
    lines = []
    for name, question in QUESTIONS.items():
        value = getattr(Constraints(), name)
        valid = f" ({', '.join(VALID[name])})" if name in VALID else ""
        lines += [f"# {question}{valid}", f"{name} = {_toml(value)}", ""]
    return "\n".join(lines)


def _toml(value: bool | str | float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"

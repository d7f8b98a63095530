"""A YAML file as entries that know their file and line, so that an error can name both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mien.contents import contents
from mien.errors import InputError, nearest, require

MAX_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, for errors."""

    file: Path
    line: int

    def error(self, message: str) -> InputError:
        """Return an error that begins with the file and the line."""
        return InputError(f"{self.file}:{self.line}: {message}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a YAML file: a text, a list or a table. Scalars are texts: `no`, `12` stay as written."""

    place: Place
    value: str | tuple[Entry, ...] | Mapping[str, Entry]

    def error(self, message: str) -> InputError:
        """Return an error that names this entry's file and line."""
        return self.place.error(message)

    def table(self, what: str, known: Iterable[str] | None = None) -> Mapping[str, Entry]:
        """Return the table; `known` are the keys it may have. Raises `InputError`."""
        if not isinstance(self.value, Mapping):
            raise self.error(f"{what} must be a table: lines of 'key: value', indented by two spaces")
        valid = None if known is None else set(known)
        for key, entry in self.value.items():
            if valid is not None and key not in valid:
                raise entry.error(f"{what} has no key {key!r}{nearest(key, valid)}")
        return self.value

    def text(self, what: str) -> str:
        """Return the text; raises `InputError` for a list, a table or nothing."""
        if not isinstance(self.value, str):
            raise self.error(f"{what} must be one text; put it in quotes when it holds ': ' or '#'")
        if not self.value.strip():
            raise self.error(f"{what} is empty; write a text after the colon, or remove the line")
        return self.value.strip()

    def entries(self, what: str) -> tuple[Entry, ...]:
        """Return the entries of a list; one text counts as a list of one."""
        if isinstance(self.value, Mapping):
            raise self.error(f"{what} must be a list: lines that begin with '- '")
        return (self,) if isinstance(self.value, str) else self.value

    def number(self, what: str, low: float, high: float) -> float:
        """Return the number in `low` to `high`."""
        try:
            value = float(self.text(what))
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise self.error(f"{what} is {self.value!r}; it must be a number from {low:g} to {high:g}")
        return value

    def choice(self, what: str, valid: Iterable[str]) -> str:
        """Return one of the valid words."""
        word, valid = self.text(what), set(valid)
        if word not in valid:
            raise self.error(f"{what} can not be {word!r}{nearest(word, valid)}")
        return word


def read(file: Path) -> Entry:
    """Read a YAML file. Raises `MissingError` when it is not there, `InputError` when it is wrong."""
    yaml = require("yaml", extra="mind")
    data = contents(file, "file of a mind")
    if len(data) > MAX_BYTES:
        raise InputError(f"{file} has {len(data):,} bytes; a mind's file has {MAX_BYTES:,} at most; split it")
    try:
        loader = yaml.SafeLoader(data.decode())
        _refuse_aliases(loader, yaml, file)
        node = loader.get_single_node()
        return Entry(Place(file, 1), {}) if node is None else _entry(node, file)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Place(file, line).error("this line is not UTF-8; save the file as UTF-8") from None
    except yaml.YAMLError as error:
        raise _wrong(error, file) from None
    except RecursionError:
        raise InputError(
            f"{file}: lists and tables are nested too deeply; a mind needs five levels"
        ) from None


def _refuse_aliases(loader: Any, yaml: Any, file: Path) -> None:
    compose = loader.compose_node

    def checked(parent: Any, index: Any) -> Any:
        if loader.check_event(yaml.AliasEvent):
            line = loader.peek_event().start_mark.line + 1
            raise Place(file, line).error("'*' refers to another entry, which a mind does not; write it out")
        return compose(parent, index)

    loader.compose_node = checked


def _entry(node: Any, file: Path) -> Entry:
    place = Place(file, node.start_mark.line + 1)
    if node.id == "scalar":
        return Entry(place, str(node.value))
    if node.id == "sequence":
        return Entry(place, tuple(_entry(item, file) for item in node.value))
    table: dict[str, Entry] = {}
    for key, value in node.value:
        here = Place(file, key.start_mark.line + 1)
        if key.id != "scalar":
            raise here.error("a key must be a word followed by a colon")
        if key.value in table:
            raise here.error(f"{key.value!r} is here twice; keep one, or give the other another name")
        # a block's own mark may lie on its first inner line: the key's line says more
        table[key.value] = Entry(here, _entry(value, file).value)
    return Entry(place, table)


def _wrong(error: Any, file: Path) -> InputError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = " ".join(str(getattr(error, "problem", None) or error).split())
    hint = "put texts with ': ', '#', '{' or '[' in \"quotes\", and indent with spaces"
    return Place(file, mark.line + 1 if mark else 1).error(f"not valid YAML ({problem}); {hint}")

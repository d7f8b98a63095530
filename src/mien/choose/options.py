"""What there is to choose from, as data: `data/*.toml`, one file a kind."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any, Final

from mien.errors import CorruptError, nearest

KINDS: Final = ("voice", "recogniser", "mind", "renderer")


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure: `value` in `unit`; `how`: `run` (by us, as `source` tells) or `inferred`; on a `machine`."""

    value: float
    unit: str
    how: str
    source: str
    machine: str
    date: str


@dataclass(frozen=True, slots=True)
class Option:
    """One thing of a `kind`. `languages`: ISO 639-1, `*` for any. `words_go`: how far people's words go.

    `cores`: kept busy by one session at the mean; `memory_gb`: once, however many talk. `uses`: what it is
    for; `clients`, `knowledge`: what of these it serves. `copyleft`: what of it binds those who pass it on.
    `measured`: figures by name; `bench`: name → (bench, series) that measures it. `take`: what to write.
    """

    kind: str
    name: str
    title: str
    languages: tuple[str, ...] = ("*",)
    uses: tuple[str, ...] = ("talk", "film")
    words_go: str = "machine"
    online: bool = False
    gpu: str = "none"
    cores: float = 0.0
    memory_gb: float = 0.0
    clients: tuple[str, ...] = ("*",)
    knowledge: tuple[str, ...] = ("*",)
    per_hour: float = 0.0
    licence: str = ""
    copyleft: str = ""
    take: str = ""
    unknown: tuple[str, ...] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)
    bench: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@cache
def options() -> tuple[Option, ...]:
    """Return all options in the order of their files; raises `CorruptError` for data that is wrong."""
    found: list[Option] = []
    for kind in KINDS:
        text = (resources.files("mien.choose") / "data" / f"{kind}.toml").read_text("utf-8")
        table = tomllib.loads(text)
        shared = table.get("machines", {})
        found += [parse(kind, name, each, shared) for name, each in table[kind].items()]
    return tuple(found)


def parse(kind: str, name: str, table: Mapping[str, Any], machines: Mapping[str, str]) -> Option:
    """Return one option; raises `CorruptError` for an unknown key or machine."""
    known = {each.name for each in fields(Option)} - {"kind", "name"}
    for key in table:
        if key not in known:
            raise CorruptError(f"{kind} {name!r}: no field {key!r}{nearest(key, known)}")
    given: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}
    try:
        given["measured"] = {
            key: Measured(**each | {"machine": machines[each["machine"]]})
            for key, each in table.get("measured", {}).items()
        }
        given["bench"] = {key: (each[0], each[1]) for key, each in table.get("bench", {}).items()}
        return Option(kind, name, **given)
    except (KeyError, TypeError, IndexError) as error:
        raise CorruptError(f"{kind} {name!r}: its figures can not be read ({error!r})") from None

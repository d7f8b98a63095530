"""Engines by name (`joe/vocoder`): whoever brings models says where the parts of one are.

A distribution states a finder in its entry points, group `mien.models`; mien's own are the voices.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final, Protocol

from mien.errors import MissingError, nearest

GROUP: Final = "mien.models"


class Finder(Protocol):
    """What an entry point of the group is: an object or a module with these two functions."""

    def names(self) -> list[str]:
        """Return what can be found, as `joe/vocoder`."""

    def find(self, name: str) -> Path:
        """Return the engine's folder or file, made if need be; raises `MissingError`."""


def find(name: str) -> Path:
    """Return where the engine of a name is; raises `MissingError` naming what there is."""
    known: list[str] = []
    for finder in _finders():
        names = finder.names()
        if name in names:
            return finder.find(name)
        known += names
    raise MissingError(f"no engine {name!r}, neither a file nor a name{nearest(name, known)}")


@cache
def _load() -> tuple[Finder, ...]:
    return tuple(point.load() for point in sorted(entry_points(group=GROUP), key=lambda p: p.name))


def _finders() -> Iterator[Finder]:
    yield from _load()

"""Many engines in little memory: loaded when they are needed, the longest unused ones given up for them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from mien.engine.runtime.memory import resident_bytes
from mien.errors import ResourceError


class Closes(Protocol):
    """What can be given up."""

    def close(self) -> None:
        """Give up what it holds."""


E = TypeVar("E", bound=Closes)


@dataclass(frozen=True, slots=True)
class Held:
    """One loaded engine: what it takes and how many use it now."""

    name: str
    size_bytes: int
    users: int


@dataclass(slots=True)
class _Entry(Generic[E]):
    engine: E
    size: int
    users: int = 0


class Pool(Generic[E]):
    """Engines by name within `budget_bytes`; safe to use from several threads, which load one at a time.

    An engine takes what the process grew by while it was loaded, and at least the `expected` bytes, those
    of its files. Before one is loaded there is room for what it took last time, or is expected to.
    """

    def __init__(
        self,
        budget_bytes: int,
        load: Callable[[str], E],
        expected: Callable[[str], int],
        measure: Callable[[], int | None] = resident_bytes,
    ) -> None:
        self._budget, self._load, self._expected, self._measure = budget_bytes, load, expected, measure
        self._lock, self._loading = threading.Lock(), threading.Lock()
        self._entries: OrderedDict[str, _Entry[E]] = OrderedDict()  # the one used last stands last
        self._sizes: dict[str, int] = {}
        self.loads = self.evictions = 0

    @contextmanager
    def use(self, name: str) -> Iterator[E]:
        """Lend an engine; it stays loaded for as long as somebody uses it.

        Raises what loading raises, and `ResourceError` when the engines in use leave no room for it.
        """
        entry = self._taken(name) or self._loaded(name)
        try:
            yield entry.engine
        finally:
            with self._lock:
                entry.users -= 1

    def held(self) -> list[Held]:
        """Return the loaded engines, the one that goes first first."""
        with self._lock:
            return [Held(name, entry.size, entry.users) for name, entry in self._entries.items()]

    @property
    def used_bytes(self) -> int:
        """What all loaded engines take."""
        with self._lock:
            return self._used()

    def close(self) -> None:
        """Give up every engine that nobody uses."""
        with self._lock:
            for name in [name for name, entry in self._entries.items() if not entry.users]:
                self._entries.pop(name).engine.close()

    def _taken(self, name: str) -> _Entry[E] | None:
        with self._lock:
            entry = self._entries.get(name)
            if entry is not None:
                entry.users += 1
                self._entries.move_to_end(name)
            return entry

    def _loaded(self, name: str) -> _Entry[E]:
        with self._loading:
            if (there := self._taken(name)) is not None:  # another thread was faster
                return there
            least = self._expected(name)
            with self._lock:
                self._make_room(name, max(least, self._sizes.get(name, 0)))
            before = self._measure() or 0
            engine = self._load(name)
            size = max(least, (self._measure() or 0) - before)
            with self._lock:
                self._sizes[name] = size
                self.loads += 1
                try:
                    self._make_room(name, size)
                except ResourceError:
                    engine.close()
                    raise
                entry = self._entries[name] = _Entry(engine, size, users=1)
                return entry

    def _make_room(self, name: str, size: int) -> None:
        """Give up idle engines until `size` fits; raises `ResourceError` before any goes in vain."""
        idle = [each for each, entry in self._entries.items() if not entry.users]
        least = self._used() - sum(self._entries[each].size for each in idle)
        if least + size > self._budget:
            users = ", ".join(each for each, entry in self._entries.items() if entry.users) or "none"
            raise ResourceError(
                f"no room for engine {name!r}: it takes {_mb(size)}, those in use ({users}) {_mb(least)}, "
                f"the budget is {_mb(self._budget)}; raise the budget or end a session"
            )
        for each in idle:
            if self._used() + size <= self._budget:
                return
            self._entries.pop(each).engine.close()
            self.evictions += 1

    def _used(self) -> int:
        return sum(entry.size for entry in self._entries.values())


def size_of(path: Path) -> int:
    """Return the bytes of an engine's folder or file: what loading it takes at least."""
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size


def _mb(size: int) -> str:
    return f"{size / 1e6:.3g} MB"

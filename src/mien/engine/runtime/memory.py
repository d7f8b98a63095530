"""How full memory is: of this process's control groups and of the machine, whichever is fuller."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_ENDLESS: Final = 1 << 60  # version 1 writes a limit like this for none


@dataclass(frozen=True, slots=True)
class Level:
    """One bound on memory; `used_bytes` leaves out cached files, which are given up on demand."""

    name: str
    used_bytes: int
    limit_bytes: int

    @property
    def share(self) -> float:
        """The share of the limit that is used."""
        return self.used_bytes / self.limit_bytes


def levels(root: Path = Path("/")) -> list[Level]:
    """Return all bounds on this process, those that can not be read left out; `root` is where `/` is."""
    return [*_groups(root), *_machine(root)]


def fullest(root: Path = Path("/")) -> Level | None:
    """Return the bound that is nearest; None where the system tells nothing."""
    return max(levels(root), key=lambda level: level.share, default=None)


def resident_bytes() -> int | None:
    """Return the memory that this process has now; None where the system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return None


def _groups(root: Path) -> Iterator[Level]:
    mounted = root / "sys/fs/cgroup"
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, place = (*line.split(":", 2), "", "")[:3]
        if not controllers:
            yield from _climb(mounted, place, "memory.current", "memory.max", "inactive_file")
        elif "memory" in controllers.split(","):
            names = "memory.usage_in_bytes", "memory.limit_in_bytes", "total_inactive_file"
            yield from _climb(mounted / "memory", place, *names)


def _climb(top: Path, place: str, used: str, limit: str, cached: str) -> Iterator[Level]:
    """Yield the group at `place` and all above it; in a container `place` may lie outside what is seen."""
    inside = top / place.strip("/")
    for folder in dict.fromkeys([inside, *inside.parents, top]):
        if folder != top and top not in folder.parents:
            continue
        most, now = _number(folder / limit), _number(folder / used)
        if most is not None and now is not None and 0 < most < _ENDLESS:
            files = _table(folder / "memory.stat").get(cached, 0)
            yield Level(f"control group {folder.name or '/'}", max(0, now - files), most)


def _machine(root: Path) -> Iterator[Level]:
    table = _table(root / "proc/meminfo")
    if (total := table.get("MemTotal:", 0)) and "MemAvailable:" in table:
        yield Level("machine", (total - table["MemAvailable:"]) * 1024, total * 1024)


def _table(file: Path) -> dict[str, int]:
    rows = (line.split() for line in _lines(file))
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}


def _number(file: Path) -> int | None:
    text = "".join(_lines(file)).strip()
    return int(text) if text.isdigit() else None


def _lines(file: Path) -> list[str]:
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text("utf-8").splitlines()
    return []

"""Which kept heads go: those of older recipes and older code, the longest unused ones first."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

KEEP = 4  # of each name
MOST_BYTES = 1 << 30  # of all together
CALM_S = 3600.0  # one used since is left alone: another process may wear it, with other code


def prune(folder: Path, *, keep: int = KEEP, most_bytes: int = MOST_BYTES) -> list[Path]:
    """Remove from `folder` what `NAME-DIGEST.npz` are too many, and return them.

    Of each name the `keep` last used stay, and of all together the last used up to `most_bytes`; one that was
    used in the last hour, and one that a process is making, stay in any case.
    """
    return [path for path in list(_surplus(folder, keep, most_bytes)) if _remove(path)]


def _surplus(folder: Path, keep: int, most_bytes: int) -> Iterator[Path]:
    names, total, now = Counter[str](), 0, time.time()
    for used_s, size, path in sorted(_kept(folder), reverse=True):
        name = path.stem.rpartition("-")[0]
        names[name] += 1
        total += size
        if (names[name] > keep or total > most_bytes) and now - used_s > CALM_S:
            yield path


def _kept(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for path in folder.glob("*-*.npz"):
        with suppress(OSError):  # another process may remove the same one
            about = path.stat()
            yield about.st_mtime, about.st_size, path


def _remove(path: Path) -> bool:
    """Remove a head and its lock, unless someone holds it; return whether it went."""
    lock = FileLock(path.with_suffix(".lock"))
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return False
    try:
        path.unlink()
        path.with_suffix(".lock").unlink(missing_ok=True)
    except OSError:  # Windows removes nothing that is open
        return False
    finally:
        lock.release()
    return True

"""What lies in the cache of engines, and clearing it."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from mien.atomic import refused
from mien.engine import manifest as manifests
from mien.engine.cache import folder
from mien.errors import MienError

_LOCKS = "locks"
_FITS, _LEFT_OVER = "fits", "left over"
_ABANDONED_S = 3_600.0  # a build that is still running is younger


@dataclass(frozen=True, slots=True)
class Entry:
    """One folder; `state`: `fits`, why it does not, or `left over` of a build that was broken off."""

    path: Path
    size_bytes: int
    age_days: float
    state: str

    @property
    def is_useless(self) -> bool:
        """Whether nothing can use it here."""
        return self.state != _FITS


def entries() -> list[Entry]:
    """Return the engines in the cache by name; builds that are running now are not listed."""
    if not folder().is_dir():
        return []
    found = [_entry(path) for path in sorted(folder().iterdir()) if path.is_dir() and path.name != _LOCKS]
    return [each for each in found if each.state != _LEFT_OVER or each.age_days * 86_400 > _ABANDONED_S]


def prune(*, everything: bool = False, older_than_days: float | None = None) -> list[Entry]:
    """Remove what is useless here, what is older than `older_than_days`, or everything; return what went.

    An engine that is being built is left alone. Raises `ResourceError`.
    """
    gone = []
    for entry in entries():
        old = older_than_days is not None and entry.age_days >= older_than_days
        if (everything or old or entry.is_useless) and _removed(entry.path):
            gone.append(entry)
    return gone


def _entry(path: Path) -> Entry:
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return Entry(path, size, (time.time() - path.stat().st_mtime) / 86_400, _state(path))


def _state(path: Path) -> str:
    if path.name.startswith("."):
        return _LEFT_OVER
    if not path.name.endswith(".engine"):
        return _FITS  # a model cut or rewritten: plain ONNX
    try:
        different = manifests.differences(manifests.read(path))
    except MienError as error:
        return str(error)
    return "; ".join(different) or _FITS


def _removed(path: Path) -> bool:
    try:
        with FileLock(path.with_suffix(".lock"), timeout=0):
            shutil.rmtree(path)
    except Timeout:
        return False
    except OSError as error:
        raise refused(error, path) from None
    path.with_suffix(".lock").unlink(missing_ok=True)
    return True

"""Where an engine goes: one process at a time, and nothing is built twice."""

from __future__ import annotations

import hashlib
from pathlib import Path

from filelock import FileLock

from mien.atomic import refused
from mien.engine import cache, package
from mien.engine import manifest as manifests
from mien.engine.manifest import Manifest
from mien.errors import CorruptError


def present(out: Path, key: str) -> Manifest | None:
    """Return the manifest of an engine of this key at `out`, when it is whole."""
    if not (out / manifests.NAME).is_file():
        return None
    try:
        found = manifests.read(out)
    except CorruptError:  # it is replaced
        return None
    files = {package.MODEL: found.model_sha256}
    if found.plan is not None:
        files[found.plan["file"]] = found.plan["sha256"]
    whole = all((out / n).is_file() and cache.fingerprint(out / n) == sha for n, sha in files.items())
    return found if whole and found.key == key else None


def lock(out: Path) -> FileLock:
    """Return the lock of an engine's place; it lies in the cache, so that nothing stays beside the engine."""
    folder = cache.folder() / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(error, folder) from None
    return FileLock(folder / f"{hashlib.sha256(str(out.absolute()).encode()).hexdigest()[:32]}.lock")

"""Fetching archives as data: never imported, never run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mien.packs.manifest import Archive
from mien.packs.sources import hub, local, npm, pypi
from mien.packs.sources.tool import Seen


def fetch(archive: Archive, members: Sequence[str], downloads: Path, seen: Seen) -> Path:
    """Return a local file or folder that holds `members`, kept in or below `downloads`.

    What is already there, whole, is not fetched again; `seen` hears the bytes that are here. Raises
    `MissingError`, `CorruptError` or `ResourceError` when this source can not serve, and `OSError` when
    the disk refuses.
    """
    downloads.mkdir(parents=True, exist_ok=True)
    if archive.kind == "pypi":
        return pypi.fetch(archive, downloads, seen)
    if archive.kind == "npm":
        return npm.fetch(archive, downloads, seen)
    if archive.kind == "huggingface":
        return hub.fetch(archive, members, downloads, seen)
    return local.fetch(archive)

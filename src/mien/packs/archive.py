"""Reading what was fetched: a wheel, a tarball or a folder, as named streams."""

from __future__ import annotations

import contextlib
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from mien.errors import CorruptError


class Members(Protocol):
    """The files inside an archive."""

    @property
    def order(self) -> Mapping[str, int]:
        """Return each member's name and place; reading in this order never seeks back."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """Return a member's bytes as a stream."""
        ...


class _Zip:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.order = {info.filename: info.header_offset for info in archive.infolist() if not info.is_dir()}

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(name)


class _Tar:
    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._members = {member.name: member for member in archive if member.isreg()}
        self.order = {name: member.offset for name, member in self._members.items()}

    def open(self, name: str) -> IO[bytes]:
        stream = self._archive.extractfile(self._members[name])
        if stream is None:
            raise CorruptError(f"{name} is not a file")
        return stream


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root
        files = (path for path in root.rglob("*") if path.is_file())
        names = sorted(path.relative_to(root).as_posix() for path in files)
        self.order = {name: place for place, name in enumerate(names)}

    def open(self, name: str) -> IO[bytes]:
        return (self._root / name).open("rb")


@contextmanager
def opened(path: Path) -> Iterator[Members]:
    """Open a wheel (zip), a tarball or a folder; raises `CorruptError` that names a broken archive."""
    with contextlib.ExitStack() as stack:
        try:
            yield _members(path, stack)
        except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError) as error:
            raise CorruptError(f"{path.name} is not a whole archive: {error}") from None


def _members(path: Path, stack: contextlib.ExitStack) -> Members:
    if path.is_dir():
        return _Folder(path)
    if zipfile.is_zipfile(path):
        return _Zip(stack.enter_context(zipfile.ZipFile(path)))
    return _Tar(stack.enter_context(tarfile.open(path)))

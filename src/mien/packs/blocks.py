"""Files in blocks: hashed and copied in memory that does not grow with them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from mien.atomic import DENIED, FULL
from mien.errors import CorruptError, MienError, ResourceError
from mien.packs.manifest import PackFile

BLOCK = 1 << 20  # bytes
Tick = Callable[[int], None]


def sha256(file: Path, tick: Tick = lambda _: None) -> str:
    """Return the file's sha256 in hex; `tick` hears the bytes of each block."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        for block in _blocks(stream):
            digest.update(block)
            tick(len(block))
    return digest.hexdigest()


def fault(file: Path, expected: PackFile, tick: Tick = lambda _: None) -> str | None:
    """Say what is wrong with a file on disk, or return None when it is the expected one."""
    try:
        size = file.stat().st_size
        if file.is_symlink() or not file.is_file():
            return "is not a file"
        if size != expected.size:
            return f"has {size} bytes, expected {expected.size}"
        found = sha256(file, tick)
    except (FileNotFoundError, NotADirectoryError):
        return "is missing"
    return None if found == expected.sha256 else f"has sha256 {found}, expected {expected.sha256}"


class Writer:
    """Writes one file of a pack and refuses whatever is not what the manifest says.

    Stops at the first byte too many, so a hostile archive can not fill the disk.
    """

    def __init__(self, file: Path, expected: PackFile, tick: Tick) -> None:
        self._expected, self._tick = expected, tick
        self._digest, self._size = hashlib.sha256(), 0
        file.parent.mkdir(parents=True, exist_ok=True)
        self._stream = file.open("wb")

    def add(self, stream: IO[bytes]) -> None:
        """Append all of `stream`."""
        for block in _blocks(stream):
            self._size += len(block)
            if self._size > self._expected.size:
                raise CorruptError(f"{self._expected.path} is longer than its {self._expected.size} bytes")
            self._digest.update(block)
            self._stream.write(block)
            self._tick(len(block))

    def finish(self) -> None:
        """Compare size and hash; raises `CorruptError` that names the file and both."""
        path, size, sha = self._expected.path, self._expected.size, self._expected.sha256
        if self._size != size:
            raise CorruptError(f"{path} has {self._size} bytes, expected {size}: it is cut short")
        if self._digest.hexdigest() != sha:
            raise CorruptError(f"{path} has sha256 {self._digest.hexdigest()}, expected {sha}")

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


def sync_folder(folder: Path) -> None:
    """Flush a folder and all files in it to the disk."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb+") as stream:
                os.fsync(stream.fileno())
    sync_entry(folder)


def sync_entry(folder: Path) -> None:
    """Flush a folder's own list of names, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def disk(folder: Path, again: str) -> Iterator[None]:
    """Turn a refusing disk into a `ResourceError` that names `folder` and the command to run `again`."""
    try:
        yield
    except MienError:
        raise
    except OSError as error:
        raise ResourceError(_refusal(error, folder, again)) from error


def _refusal(error: OSError, folder: Path, again: str) -> str:
    if error.errno in FULL:
        return f"disk full at {folder}: free some space or set MIEN_HOME to a larger disk, then run: {again}"
    if error.errno in DENIED:
        where = error.filename or folder
        return f"no permission to write {where}; set MIEN_HOME to a folder of yours, then run: {again}"
    return f"{error.filename or folder}: {error.strerror or error}; then run: {again}"


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(BLOCK):
        yield block

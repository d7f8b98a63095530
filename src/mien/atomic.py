"""Files that appear whole or not at all, and errors that say why."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mien.errors import ResourceError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_ABSENT = (errno.ENOENT, errno.ENOTDIR)
_NAME = 32  # characters of the name that the file beside it keeps: none gets too long

_unfinished: set[Path] = set()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield an empty file beside `path`; it takes its place when the block ends well, else it is removed.

    The file is made at once, so that a folder that refuses does so before any work. A link stays and what
    it points to is written; a device, a pipe or a file that is write-protected is never replaced. Raises
    `ResourceError` for any refusal, also for an `OSError` inside the block.
    """
    target = _target(path)
    aside = target.with_name(f".{target.name[:_NAME]}.{secrets.token_hex(4)}.part")
    _unfinished.add(aside)
    try:
        aside.touch(exist_ok=False)
        yield aside
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        aside.replace(target)
    except OSError as error:
        raise refused(error, path) from error
    finally:
        _remove(aside)


def abandon() -> None:
    """Remove every unfinished file of this process, which is about to end without unwinding."""
    for aside in tuple(_unfinished):
        _remove(aside)


def _remove(aside: Path) -> None:
    with suppress(OSError):
        aside.unlink()
    _unfinished.discard(aside)


def check(path: Path) -> None:
    """Raise `ResourceError` now when `replacing(path)` would be refused after long work."""
    try:
        with replacing(path):
            raise _TriedError
    except _TriedError:
        return


class _TriedError(Exception):
    """Leaves `replacing` without a file."""


def _target(path: Path) -> Path:
    """Return the file that is to be replaced; raises `ResourceError` for what must not be."""
    if "\0" in str(path):
        raise ResourceError(f"can not write {str(path)!r}: a file's name holds no NUL character")
    target = os.path.realpath(path)
    if os.path.isdir(target):  # noqa: PTH112 (`Path.is_dir` raises where a folder may not be entered)
        raise ResourceError(f"can not write {path}: it is a folder; name a file in it")
    if os.path.exists(target) and not os.path.isfile(target):  # noqa: PTH110, PTH113
        raise ResourceError(f"can not write {path}: it is a device or a pipe; name a file")
    if os.path.exists(target) and not os.access(target, os.W_OK):  # noqa: PTH110
        raise ResourceError(f"{path} is write-protected; allow writing to it or name another file")
    return Path(target)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file, or nothing; raises `ResourceError`."""
    with replacing(path) as aside:
        aside.write_bytes(data)


def refused(error: OSError, path: Path) -> ResourceError:
    """Return what to tell when writing `path` failed with `error`."""
    if error.errno in FULL:
        return ResourceError(f"disk full while writing {path}: free some space or write to another disk")
    if error.errno in DENIED:
        return ResourceError(f"no permission to write {path}; choose another folder")
    if error.errno in _ABSENT:
        return ResourceError(f"no folder {path.parent}; make it first")
    return ResourceError(f"can not write {path}: {(error.strerror or str(error)).lower()}")

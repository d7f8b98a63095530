"""Files that appear whole or not at all, and errors that say why."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mien.errors import ResourceError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_ABSENT = (errno.ENOENT, errno.ENOTDIR)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield an empty file beside `path`; it takes its place when the block ends well, else it is removed.

    The file is made at once, so that a folder that refuses does so before any work. Raises
    `ResourceError` for any refusal, also for an `OSError` inside the block.
    """
    aside = path.absolute().with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        if path.is_dir():
            raise ResourceError(f"can not write {path}: it is a folder; name a file in it")
        aside.touch(exist_ok=False)
        yield aside
        with aside.open("rb+") as file:
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        raise refused(error, path) from error
    finally:
        aside.unlink(missing_ok=True)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file, or nothing; raises `ResourceError`."""
    with replacing(path) as aside:
        aside.write_bytes(data)


def refused(error: OSError, path: Path) -> ResourceError:
    """Return what to tell when writing `path` failed with `error`."""
    if error.errno in _FULL:
        return ResourceError(f"disk full while writing {path}: free some space or write to another disk")
    if error.errno in _DENIED:
        return ResourceError(f"no permission to write {path}; choose another folder")
    if error.errno in _ABSENT:
        return ResourceError(f"no folder {path.parent}; make it first")
    return ResourceError(f"can not write {path}: {(error.strerror or str(error)).lower()}")

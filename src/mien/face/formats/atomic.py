"""Files that appear whole or not at all, and errors that say why."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from mien.errors import MissingError, ResourceError


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file beside `path` for writing bytes; it takes `path`'s place when the block ends without error.

    Raises `ResourceError` when the folder can not be written or the disk is full.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise ResourceError(f"can not write in {str(path.parent)!r}: {error.strerror}") from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise ResourceError(f"can not write {str(path)!r}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)


def contents(path: Path) -> bytes:
    """Return a file's bytes; raises `MissingError` or `ResourceError`."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise MissingError(f"no file {str(path)!r}; check the path") from None
    except OSError as error:
        raise ResourceError(f"can not read {str(path)!r}: {error.strerror}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

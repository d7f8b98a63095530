"""Reading a file whole, with errors that say why not."""

from __future__ import annotations

from pathlib import Path

from mien.errors import MissingError, ResourceError


def contents(path: Path, what: str = "file", hint: str = "check the path") -> bytes:
    """Return a file's bytes.

    Raises `MissingError` (no `what` there; `hint` says what to do) or `ResourceError` (it may not be read).
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise MissingError(f"no {what} {path}; {hint}") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ResourceError(f"can not read {what} {path}: {reason}; give a file that you may read") from error

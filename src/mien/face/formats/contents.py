"""Reading a face file whole, with errors that say why not."""

from __future__ import annotations

from pathlib import Path

from mien.errors import MissingError, ResourceError


def contents(path: Path) -> bytes:
    """Return a file's bytes; raises `MissingError` or `ResourceError`."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise MissingError(f"no file {str(path)!r}; check the path") from None
    except OSError as error:
        raise ResourceError(f"can not read {str(path)!r}: {error.strerror}") from error

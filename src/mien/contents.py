"""Reading a file whole, with errors that say why not."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

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


def parse_json(text: bytes | str) -> Any:
    """Return what JSON says; raises `ValueError` when it is none, also for brackets without end."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested without end") from None


def parse_toml(text: bytes | str) -> dict[str, Any]:
    """Return what TOML says; raises `ValueError` when it is none, also for brackets without end."""
    try:
        return tomllib.loads(text.decode() if isinstance(text, bytes) else text)
    except RecursionError:
        raise ValueError("it is nested without end") from None

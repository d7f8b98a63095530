"""A new persona's folder, which runs as it is."""

from __future__ import annotations

import re
from pathlib import Path

from mien.atomic import refused, replacing
from mien.errors import InputError

PATTERN = Path(__file__).parent / "pattern"
NAME = "NAME"  # stands for the persona's name in the pattern's files
_VALID = re.compile(r"[a-z][a-z0-9_-]{0,40}")


def new(name: str, folder: Path) -> Path:
    """Write a persona `name` into a folder and return its own.

    Raises `InputError` for a name that can not be one or is taken, `ResourceError` when the disk refuses.
    """
    if not _VALID.fullmatch(name):
        raise InputError(f"{name!r} can not be a persona's name; use small letters, digits, '-' and '_'")
    own = folder / name
    if own.exists():
        raise InputError(f"{own} is there already; choose another name, or remove it first")
    for source in sorted(PATTERN.rglob("*.*")):
        target = own / source.relative_to(PATTERN)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused(error, target) from error
        text = source.read_text("utf-8").replace(NAME, name.replace("_", " ").replace("-", " ").title())
        with replacing(target) as aside:
            aside.write_text(text, "utf-8")
    return own

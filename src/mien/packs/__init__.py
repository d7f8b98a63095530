"""Models and assets as verified data."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return `$MIEN_HOME`, or the user's cache folder for mien."""
    return Path(os.environ.get("MIEN_HOME") or platformdirs.user_cache_dir("mien"))


def path(name: str) -> Path:
    """Return the folder of an installed pack; raises `MissingError` with the command that pulls it."""
    return home() / "packs" / name

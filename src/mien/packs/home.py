"""Where mien keeps what it downloads."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return `$MIEN_HOME`, or the user's cache folder for mien."""
    return Path(os.environ.get("MIEN_HOME") or platformdirs.user_cache_dir("mien"))


def packs_folder() -> Path:
    """Return the folder that holds one folder per installed pack."""
    return home() / "packs"


def downloads_folder(name: str) -> Path:
    """Return the folder that keeps a pack's finished downloads until the pack is installed."""
    return home() / "downloads" / name


def manifests_folder() -> Path:
    """Return the folder of the user's own manifests."""
    return home() / "manifests"

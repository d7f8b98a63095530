"""Where packs, their downloads and their manifests lie."""

from __future__ import annotations

from pathlib import Path

from mien.home import home


def packs_folder() -> Path:
    """Return the folder that holds one folder per installed pack."""
    return home() / "packs"


def downloads_folder(name: str) -> Path:
    """Return the folder that keeps a pack's finished downloads until the pack is installed."""
    return home() / "downloads" / name


def manifests_folder() -> Path:
    """Return the folder of the user's own manifests."""
    return home() / "manifests"

"""Models and assets as verified data."""

from __future__ import annotations

from mien.packs.bundles import bundle, install
from mien.packs.home import home
from mien.packs.installer import pull, verify
from mien.packs.store import installed, path, remove

__all__ = ["bundle", "home", "install", "installed", "path", "pull", "remove", "verify"]

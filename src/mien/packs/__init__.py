"""Models and assets as verified data."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from mien.home import home
from mien.packs.store import installed, path, remove

if TYPE_CHECKING:
    from mien.packs.bundles import bundle, install
    from mien.packs.installer import pull, verify

__all__ = ["bundle", "home", "install", "installed", "path", "pull", "remove", "verify"]

_LATER = {"bundle": "bundles", "install": "bundles", "pull": "installer", "verify": "installer"}


def __getattr__(name: str) -> Any:
    """Import what only a pull or a bundle needs when it is first used."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"mien.packs.{_LATER[name]}"), name)

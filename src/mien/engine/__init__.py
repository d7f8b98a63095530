"""Models: graphs cut and rewritten, cached on disk, and run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mien.engine.engine import Engine, Port
from mien.engine.stop import Stop, Stopped

if TYPE_CHECKING:
    from mien.engine.runtime.loading import load

__all__ = ["Engine", "Port", "Stop", "Stopped", "load"]


def __getattr__(name: str) -> Any:
    """Import what loads engines when it is first used."""
    if name != "load":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mien.engine.runtime.loading import load

    return load

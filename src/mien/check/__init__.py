"""What works on this machine, what does not, and what to do: tried, not guessed (docs/checking.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mien.check.place import Place
from mien.check.result import Finding, Result, Status

if TYPE_CHECKING:
    from mien.check.runner import run

__all__ = ["Finding", "Place", "Result", "Status", "run"]


def __getattr__(name: str) -> Any:
    """Import what runs probes when it is first used: the children need no more than the rest."""
    if name != "run":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mien.check.runner import run

    return run

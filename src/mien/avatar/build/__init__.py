"""The parametric human: from the pack `human` and a description to an `Avatar`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mien.avatar.build.person import Person, people, read_person

if TYPE_CHECKING:
    from mien.avatar.build.assemble import build

__all__ = ["Person", "build", "people", "read_person"]


def __getattr__(name: str) -> Any:
    """Import what builds, with its heavy libraries, when it is first used."""
    if name != "build":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mien.avatar.build.assemble import build

    return build

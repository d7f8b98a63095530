"""The parametric human: from the pack `human` and a description to an `Avatar`."""

from mien.avatar.build.assemble import build
from mien.avatar.build.person import Person, people, read_person

__all__ = ["Person", "build", "people", "read_person"]

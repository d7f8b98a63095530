"""Films: pictures and sound on one clock, to and from files."""

from __future__ import annotations

from mien.media.reader import MovieReader
from mien.media.writer import MovieWriter

__all__ = ["MovieReader", "MovieWriter"]

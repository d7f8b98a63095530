"""Films: pictures and sound on one clock, to and from files."""

from __future__ import annotations

from mien.media.pictures import PictureWriter
from mien.media.reader import FilmReader
from mien.media.writer import FilmWriter

__all__ = ["FilmReader", "FilmWriter", "PictureWriter"]

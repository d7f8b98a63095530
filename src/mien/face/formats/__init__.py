"""Files that hold the movement of a face: Live Link Face CSV, Audio2Face JSON, NumPy."""

from mien.face.formats.files import SUFFIXES, read, write

__all__ = ["SUFFIXES", "read", "write"]

"""Sound in memory and in files."""

from mien.audio.pcm import Pcm

__all__ = ["Pcm"]

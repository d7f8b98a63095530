"""Heads: what they are made of, how they are built, drawn and stored."""

from mien.avatar.model import Avatar, Morph, Part
from mien.avatar.sources import load

__all__ = ["Avatar", "Morph", "Part", "load"]

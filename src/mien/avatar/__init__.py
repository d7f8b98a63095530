"""Heads: what they are made of, how they are built, drawn and stored."""

from mien.avatar.cache import load
from mien.avatar.model import Avatar, Morph, Part

__all__ = ["Avatar", "Morph", "Part", "load"]

"""Heads made elsewhere (glTF, VRM): read, fitted, and driven by the 52 ARKit weights."""

from mien.avatar.foreign.read import read
from mien.avatar.foreign.report import Report, check

__all__ = ["Report", "check", "read"]

"""Engines at work: batched, pooled, exchanged while they run, and replaced when they fail."""

from mien.engine.runtime.asking import asking
from mien.engine.runtime.chain import Limits
from mien.engine.runtime.line import Line
from mien.engine.runtime.loading import Machine, find, load
from mien.engine.runtime.pool import Pool, size_of
from mien.engine.runtime.served import ServedEngine, Settings
from mien.engine.runtime.share import Share, Verdict
from mien.engine.runtime.ticket import Terms

__all__ = [
    "Limits",
    "Line",
    "Machine",
    "Pool",
    "ServedEngine",
    "Settings",
    "Share",
    "Terms",
    "Verdict",
    "asking",
    "find",
    "load",
    "size_of",
]

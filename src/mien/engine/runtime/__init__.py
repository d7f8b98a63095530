"""Engines at work: batched, pooled, exchanged while they run, and replaced when they fail."""

from mien.engine.runtime.served import ServedEngine, Settings
from mien.engine.runtime.ticket import Terms

__all__ = ["ServedEngine", "Settings", "Terms"]

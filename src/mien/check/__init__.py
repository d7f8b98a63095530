"""What works on this machine, what does not, and what to do: tried, not guessed (docs/checking.md)."""

from mien.check.place import Place
from mien.check.result import Finding, Result, Status
from mien.check.runner import run

__all__ = ["Finding", "Place", "Result", "Status", "run"]

"""One point of a checklist."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from mien.check.result import Finding, Result, failed
from mien.errors import MienError

Point = tuple[str, str, Callable[[], Result]]  # name, what is tried, how
_DAY_S: Final = 86_400.0


def tried(group: str, points: list[Point]) -> list[Finding]:
    """Return what each point found; an error of mien's is a failure."""
    return [_one(group, *point) for point in points]


def _one(group: str, name: str, what: str, work: Callable[[], Result]) -> Finding:
    began = time.perf_counter()
    try:
        result = work()
    except MienError as error:
        line, _, remedy = str(error).partition("; run: ")
        result = failed(line, remedy)
    took = time.perf_counter() - began
    return Finding(
        name, group, result.status, result.line, what, result.evidence, result.remedy, round(took, 3)
    )


def days(seconds: float) -> float:
    """Return seconds as days."""
    return seconds / _DAY_S

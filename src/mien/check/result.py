"""What a probe found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """How a probe ended; `NOT_RUN`: there is nothing here to try, or nobody asked for it."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Result:
    """What a probe returns: one `line`, the `evidence` for it, and a command as `remedy`."""

    status: Status
    line: str
    evidence: str = ""
    remedy: str = ""


def ok(line: str, evidence: str = "") -> Result:
    """Return a good result."""
    return Result(Status.OK, line, evidence)


def warning(line: str, remedy: str, evidence: str = "") -> Result:
    """Return what works with a drawback."""
    return Result(Status.WARNING, line, evidence, remedy)


def failed(line: str, remedy: str, evidence: str = "") -> Result:
    """Return what does not work."""
    return Result(Status.FAILED, line, evidence, remedy)


def not_run(line: str, remedy: str = "") -> Result:
    """Return what was not tried, with the reason."""
    return Result(Status.NOT_RUN, line, "", remedy)


@dataclass(frozen=True, slots=True)
class Finding:
    """A probe's result with its name, its group, what it `tried` and how long that took."""

    name: str
    group: str
    status: Status
    line: str
    tried: str
    evidence: str = ""
    remedy: str = ""
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        return asdict(self)


def count(findings: Iterable[Finding]) -> dict[Status, int]:
    """Return how many findings have each status."""
    seen = [finding.status for finding in findings]
    return {status: seen.count(status) for status in Status}

"""One thing that is wrong with a model, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

MAX_TEXT = 300  # characters of a name that came out of a file


class Severity(StrEnum):
    """`ERROR`: the model must not be run. `WARNING`: it runs, and may surprise."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong (`code` for programs, `message` for people), at which node, and what to do.

    `node` is the node's or tensor's name, `""` when the finding concerns the whole file.
    """

    code: str
    severity: Severity
    node: str
    message: str
    remedy: str

    def __str__(self) -> str:
        at = f" at {self.node}" if self.node else ""
        return f"{self.severity} {self.code}{at}: {self.message}; {self.remedy}"

    def to_dict(self) -> dict[str, str]:
        """Return the fields as JSON takes them."""
        return {key: str(value) for key, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Finding:
        """Return the finding that `to_dict` wrote; raises `KeyError` or `ValueError` for anything else."""
        text = {key: printable(str(fields[key])) for key in ("code", "node", "message", "remedy")}
        return cls(severity=Severity(fields["severity"]), **text)


def error(code: str, message: str, remedy: str, node: str = "") -> Finding:
    """Return an error whose texts are safe to print."""
    return Finding(code, Severity.ERROR, printable(node), printable(message), remedy)


def warning(code: str, message: str, remedy: str, node: str = "") -> Finding:
    """Return a warning whose texts are safe to print."""
    return Finding(code, Severity.WARNING, printable(node), printable(message), remedy)


def errors(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings for which the model must not be run."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def printable(text: str) -> str:
    """Return `text` on one line of at most `MAX_TEXT` characters, without control characters.

    Names come out of untrusted files; a terminal would obey the escape sequences in them.
    """
    clean = "".join(c if c.isprintable() else "�" for c in text)
    return clean if len(clean) <= MAX_TEXT else f"{clean[: MAX_TEXT - 1]}…"

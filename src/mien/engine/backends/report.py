"""What a backend says of a model that it does not take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mien.engine.sandbox import Outcome
from mien.errors import InputError


@dataclass(frozen=True, slots=True)
class Report:
    """One complaint: `stage` `parse`, `build` or `run`; `code` as the backend names it.

    `place` is the node's place in the graph, -1 when none is named.
    """

    stage: str
    code: str
    message: str
    place: int = -1
    node: str = ""
    operator: str = ""


def answered(library: str, outcome: Outcome) -> dict[str, Any]:
    """Return a child's answer; raises `InputError` with the library's first complaint, or how it died."""
    if outcome.failure:
        raise InputError(f"{library} can not build the model: {outcome.failure}; see mien diagnose")
    answer: dict[str, Any] = outcome.answer
    if answer["reports"]:
        first = Report(**answer["reports"][0])
        at = f" at node {first.node or first.place} ({first.operator})" if first.operator else ""
        if first.operator and not first.node and first.place < 0:
            at = f" at {first.operator}"
        reason = " ".join(first.message.split())[:300]
        raise InputError(f"{library} can not build the model{at}: {reason}; see mien diagnose")
    return answer

"""What a backend says of a model that it does not take."""

from __future__ import annotations

from dataclasses import dataclass


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

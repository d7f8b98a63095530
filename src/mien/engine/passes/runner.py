"""Runs passes one after the other; what does not keep its promises is dropped, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from onnx import ModelProto

from mien.engine.passes.base import Condition, Outcome, Pass
from mien.engine.passes.verify import TOLERANCE, Sample, Verifier
from mien.errors import MienError


class Status(StrEnum):
    """What became of a pass."""

    KEPT = "kept"
    IDLE = "nothing to do"
    REFUSED = "not tried"  # what it requires does not hold
    DROPPED = "dropped"  # it failed, broke a promise or changed the results
    UNVERIFIED = "not verified"  # it would change the model; nothing was run


@dataclass(frozen=True, slots=True)
class Record:
    """What a pass did: `note` is its own account, `reason` why it was not kept.

    `error` is the largest difference of an output relative to its largest value, None when not measured.
    """

    name: str
    status: Status
    note: str
    reason: str = ""
    error: float | None = None
    nodes_before: int = 0
    nodes_after: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        return {**asdict(self), "status": str(self.status)}


def run(
    model: ModelProto, passes: Sequence[Pass], samples: Sequence[Sample], *, tolerance: float = TOLERANCE
) -> tuple[ModelProto, list[Record]]:
    """Return `model` after the passes that hold what they promise, and what became of each.

    After each pass the model runs on `samples` (name → array) in ONNX Runtime, without optimisation;
    its outputs are held against those of the model given, so errors can not add up beyond
    `tolerance`. Raises `InputError` without samples, or when a pass changes a model that can not run on
    them itself.
    """
    verifier = Verifier(model, samples, tolerance)
    records = []
    for each in passes:
        model, record = _step(model, each, verifier)
        records.append(record)
    return model, records


def preview(model: ModelProto, passes: Sequence[Pass]) -> list[Record]:
    """Return what each pass would do, one after the other, with no numerical check."""
    records = []
    for each in passes:
        model, record = _step(model, each, None)
        records.append(record)
    return records


def _step(model: ModelProto, each: Pass, verifier: Verifier | None) -> tuple[ModelProto, Record]:
    before = len(model.graph.node)

    def record(
        status: Status, outcome: Outcome | None = None, reason: str = "", error: float | None = None
    ) -> Record:
        after = len(outcome.model.graph.node) if outcome else before
        return Record(each.name, status, outcome.note if outcome else "", reason, error, before, after)

    if reason := _broken(each.requires, model):
        return model, record(Status.REFUSED, reason=f"it requires {reason}")
    try:
        outcome = each(model)
    except MienError as failure:
        return model, record(Status.DROPPED, reason=str(failure))
    if not outcome.changed:
        return model, record(Status.IDLE, outcome)
    if reason := _broken(each.ensures, outcome.model):
        return model, record(Status.DROPPED, outcome, f"it broke its promise: {reason}")
    if verifier is None:
        return outcome.model, record(Status.UNVERIFIED, outcome)
    verdict = verifier.judge(outcome.model)
    if verdict.reason:
        return model, record(Status.DROPPED, outcome, verdict.reason, verdict.error)
    return outcome.model, record(Status.KEPT, outcome, error=verdict.error)


def _broken(conditions: Sequence[Condition], model: ModelProto) -> str:
    """Return the first condition that does not hold and why."""
    for condition in conditions:
        if why := condition.check(model):
            return f"{condition.name}: {why}"
    return ""

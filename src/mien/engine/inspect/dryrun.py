"""What each pass would do to a model, checked on made-up inputs where the model takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onnx import ModelProto

from mien.engine import passes
from mien.engine.inspect.files import read
from mien.engine.inspect.generate import generate
from mien.engine.passes import Record, Status
from mien.engine.passes.verify import Sample
from mien.errors import InputError, MienError

_LARGE = 32 << 20  # bytes of a model that is run on one sample only


@dataclass(frozen=True, slots=True)
class DryRun:
    """What became of the passes; `unchecked` says why no numbers were compared, `""` when they were."""

    records: tuple[Record, ...]
    unchecked: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        return {"records": [record.to_dict() for record in self.records], "unchecked": self.unchecked}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> DryRun:
        """Return the dry run that `to_dict` wrote."""
        records = (Record(**{**f, "status": Status(f["status"])}) for f in fields["records"])
        return cls(tuple(records), str(fields["unchecked"]))


def dry_run(model: ModelProto) -> DryRun:
    """Try dequantising, then the standard passes, then widening; `model` stays as it is."""
    try:
        samples = [generate(model, seed) for seed in range(1 if model.ByteSize() > _LARGE else 2)]
        return _checked(model, samples)
    except InputError as refusal:
        every = [passes.DEQUANTISE, *passes.STANDARD, passes.WIDEN]
        return DryRun(tuple(passes.preview(model, every)), str(refusal))
    except MienError as refusal:
        return DryRun((), str(refusal))


def _checked(model: ModelProto, samples: Sequence[Sample]) -> DryRun:
    """Hold the float form against the quantised one loosely, and what follows against it closely."""
    model, first = passes.run(model, [passes.DEQUANTISE], samples, tolerance=passes.DEQUANTISE_TOLERANCE)
    _, rest = passes.run(model, [*passes.STANDARD, passes.WIDEN], samples)
    return DryRun((*first, *rest))


def task(path: Path) -> dict[str, Any]:
    """Try the passes in a child process."""
    return dry_run(read(path)).to_dict()

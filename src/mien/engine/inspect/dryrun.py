"""What each pass would do to a model, checked on samples, or on made-up inputs where it takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, ValueInfoProto
from onnx.helper import tensor_dtype_to_np_dtype

from mien.engine import passes
from mien.engine.engine import Port
from mien.engine.inspect.files import read
from mien.engine.inspect.generate import generate
from mien.engine.passes import Record, Status
from mien.engine.passes.verify import Sample
from mien.engine.samples import find, first
from mien.errors import InputError, MienError

_LARGE = 32 << 20  # bytes of a model that is run on one sample only
_SAMPLES = 4


@dataclass(frozen=True, slots=True)
class DryRun:
    """What became of the passes.

    `unchecked` says why no numbers were compared, `""` when they were; `data`: on which samples, `""` when
    they were made up.
    """

    records: tuple[Record, ...]
    unchecked: str = ""
    data: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        records = [record.to_dict() for record in self.records]
        return {"records": records, "unchecked": self.unchecked, "data": self.data}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> DryRun:
        """Return the dry run that `to_dict` wrote."""
        records = (Record(**{**f, "status": Status(f["status"])}) for f in fields["records"])
        return cls(tuple(records), str(fields["unchecked"]), str(fields["data"]))


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


def on_samples(model: ModelProto, data: str) -> DryRun:
    """Do as `dry_run` on the first samples of `data`; raises `InputError`, `CorruptError`, `MissingError`."""
    samples = first(find(data, _ports(model)), _SAMPLES)
    return replace(_checked(model, list(samples)), data=samples.origin)


def _ports(model: ModelProto) -> list[Port]:
    given = {tensor.name for tensor in model.graph.initializer}
    return [_port(info) for info in model.graph.input if info.name not in given]


def _port(info: ValueInfoProto) -> Port:
    kind = info.type.tensor_type
    shape = (dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in kind.shape.dim)
    return Port(info.name, np.dtype(tensor_dtype_to_np_dtype(kind.elem_type)), tuple(shape))


def task(path: Path, data: str | None = None) -> dict[str, Any]:
    """Try the passes in a child process; `refused` says what is wrong with the samples."""
    model = read(path)
    if data is None:
        return dry_run(model).to_dict()
    try:
        return on_samples(model, data).to_dict()
    except MienError as refusal:
        return {"refused": str(refusal)}

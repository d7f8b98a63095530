"""One compilation: what was asked, for which target, and what the result is held against."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto

from mien.engine.backends import onnxruntime, openvino
from mien.engine.engine import Engine
from mien.engine.request import Request
from mien.engine.samples import Samples, find, split
from mien.engine.search import Budget
from mien.engine.targets import Target
from mien.errors import InputError
from mien.progress import Progress


@dataclass(frozen=True, slots=True)
class Job:
    """`source`: the ONNX file that the request's model is, or was made into.

    `parts`: the samples to calibrate on and those held out; None without samples.
    """

    request: Request
    target: Target
    source: Path
    reference: Engine
    samples: Samples | None
    parts: tuple[Samples, Samples] | None
    budget: Budget | None
    tell: Progress

    @property
    def metric(self) -> str:
        """The name of the metric that plans are judged by."""
        return self.budget.metric if self.budget else "rel-error"

    @property
    def options(self) -> onnxruntime.Options:
        """How ONNX Runtime must load what is made."""
        return onnxruntime.Options(fold_weights=self.request.precision == "w8")

    def engine(self, model: ModelProto) -> Engine:
        """Load a model that was made on the way."""
        return self.parse(model.SerializeToString())

    def parse(self, data: bytes, name: str = "model") -> Engine:
        """Load a model's bytes where the target is this machine's, else in ONNX Runtime."""
        if self.target.backend == "openvino":
            return openvino.parse(data, threads=onnxruntime.usual_threads(), name=name)
        return onnxruntime.parse(data, self.options, name=name)


def prepare(request: Request, target: Target, source: Path, tell: Progress) -> Job:
    """Load the reference and the samples.

    Raises `MissingError`, `CorruptError`, and `InputError` when samples are needed and not given or do not
    fit, and for a budget that is none.
    """
    if request.data is None and (request.precision in ("fp16", "int8") or request.budget):
        raise InputError(
            f"{request.precision} needs samples: --data samples.npz (or random:64, by name, to try things)"
        )
    if request.shapes and target.device == "cpu":
        raise InputError(f"target {target.name} takes any size: leave --shape {request.shapes[0]} out")
    reference = onnxruntime.load(source)
    samples = find(request.data, reference.inputs) if request.data else None
    return Job(
        request,
        target,
        source,
        reference,
        samples,
        split(samples) if samples is not None else None,
        Budget.parse(request.budget, request.rate_hz) if request.budget else None,
        tell,
    )

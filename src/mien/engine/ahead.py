"""Building ahead of time, for the targets that do that."""

from __future__ import annotations

from onnx import ModelProto

from mien.engine import ahead_openvino, ahead_rtx, blob
from mien.engine.backends import onnxruntime
from mien.engine.beside import Ahead
from mien.engine.engine import Engine
from mien.engine.job import Job


def check(job: Job, model: ModelProto) -> None:
    """Raise `InputError` before any work when a free axis has no size, or a size no axis."""
    if job.target.backend in ahead_rtx.BACKENDS:
        ahead_rtx.check(job, model)


def build(job: Job, model: ModelProto) -> Ahead | None:
    """Build what the target wants beside the model, if anything.

    Raises `InputError` when a free axis has no size or the library refuses the model, `CorruptError` when
    the result is not what was asked for.
    """
    if job.target.backend in ahead_rtx.BACKENDS:
        return ahead_rtx.build(job, model)
    if job.target.backend == blob.BACKEND:
        return ahead_openvino.build(job, model)
    return None


def engine(job: Job, model: bytes, built: Ahead | None, name: str) -> Engine:
    """Load what will be run where this machine can run it, else the ONNX model in ONNX Runtime."""
    if built is not None and job.target.backend == blob.BACKEND:
        return blob.opened(built.data, built.about, name, onnxruntime.usual_threads())
    return job.parse(model, name)

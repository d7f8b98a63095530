"""The plan for a GPU that is built beside the ONNX model, ahead of time, and read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from onnx import ModelProto

from mien.engine.backends import tensorrt_rtx
from mien.engine.backends.tensorrt_rtx import Built, shapes
from mien.engine.backends.tensorrt_rtx.shapes import Sizes
from mien.engine.beside import Ahead, changed
from mien.engine.job import Job

FILE: Final = "model.plan"
BACKENDS: Final = ("tensorrt-rtx", "tensorrt")
_NAMES: Final = {"half": "float16", "float": "float32", "bool": "bool"}


def check(job: Job, model: ModelProto) -> None:
    """Raise `InputError` before any work when a free axis has no size, or a size no axis."""
    model = _stated(job, model)
    shapes.profile(model, _sizes(job, model)[0])


def build(job: Job, model: ModelProto) -> Ahead:
    """Build the plan.

    Raises `InputError` when a free axis has no size or the library refuses the model, `CorruptError` when
    the plan is not what was asked for.
    """
    job.tell("building the plan", 0.0)
    model = _stated(job, model)
    sizes, notes = _sizes(job, model)
    profile = shapes.profile(model, sizes)
    wanted, name = job.target.compute_capabilities, job.target.backend
    built = tensorrt_rtx.build(model.SerializeToString(), wanted, profile, name=name)
    types = changed(model, _names(built.inputs), _names(built.outputs))
    told = (*notes, *types, *_unread(built))
    return Ahead(FILE, built.data, built.contents.executed, _facts(built, sizes), told)


def _facts(built: Built, sizes: Mapping[str, Sizes]) -> dict[str, Any]:
    return {
        "compute_capabilities": list(built.contents.capabilities),
        "sizes": {axis: list(each) for axis, each in sizes.items()},
        "inputs": dict(built.inputs),
        "outputs": dict(built.outputs),
        "layers": built.layers,
        "seconds": round(built.seconds, 3),
    }


def _stated(job: Job, model: ModelProto) -> ModelProto:
    return shapes.stated(model, shapes.parse(job.request.shapes), job.samples)


def _sizes(job: Job, model: ModelProto) -> tuple[dict[str, Sizes], list[str]]:
    given = shapes.parse(job.request.shapes)
    free = shapes.axes(model)
    if job.samples is None or not free.keys() - given.keys():
        return given, []
    found = shapes.seen(model, job.samples)
    taken = {axis: sizes for axis, sizes in found.items() if axis not in given}
    told = " ".join(f"--shape {axis}={':'.join(map(str, sizes))}" for axis, sizes in taken.items())
    return {**taken, **given}, [f"sizes as in the samples: {told}; give others for a wider range"]


def _names(theirs: Mapping[str, str]) -> dict[str, str]:
    """Return the element types of `{"x": "half (1, 4)"}` as ONNX names them."""
    words = {name: text.split()[0] for name, text in theirs.items()}
    return {name: _NAMES.get(word, word) for name, word in words.items()}


def _unread(built: Built) -> list[str]:
    if built.contents.nodes or not built.layers:
        return []
    return ["the plan names no convolution and no matrix product: its precision is not read back"]

"""The plan for a GPU that is built beside the ONNX model, ahead of time, and read back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from onnx import ModelProto

from mien.engine.backends import tensorrt_rtx
from mien.engine.backends.tensorrt_rtx import Built, shapes
from mien.engine.backends.tensorrt_rtx.shapes import Sizes
from mien.engine.inspect.summary import dtype_name
from mien.engine.job import Job

FILE: Final = "model.plan"
BACKEND: Final = "tensorrt-rtx"
_NAMES: Final = {"half": "float16", "float": "float32", "bool": "bool"}


@dataclass(frozen=True, slots=True)
class Ahead:
    """A plan, the sizes it was built for, and remarks."""

    built: Built
    sizes: Mapping[str, Sizes]
    notes: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """Return what the manifest says of the plan."""
        return {
            "file": FILE,
            "sha256": hashlib.sha256(self.built.data).hexdigest(),
            "bytes": len(self.built.data),
            "compute_capabilities": list(self.built.contents.capabilities),
            "sizes": {axis: list(sizes) for axis, sizes in self.sizes.items()},
            "inputs": dict(self.built.inputs),
            "outputs": dict(self.built.outputs),
            "layers": self.built.layers,
            "seconds": round(self.built.seconds, 3),
        }


def check(job: Job, model: ModelProto) -> None:
    """Raise `InputError` before any work when a free axis has no size, or a size no axis."""
    if job.target.backend == BACKEND:
        model = _stated(job, model)
        shapes.profile(model, _sizes(job, model)[0])


def build(job: Job, model: ModelProto) -> Ahead | None:
    """Build the plan where the target has one.

    Raises `InputError` when a free axis has no size or the library refuses the model, `CorruptError` when
    the plan is not what was asked for.
    """
    if job.target.backend != BACKEND:
        return None
    job.tell("building the plan", 0.0)
    model = _stated(job, model)
    sizes, notes = _sizes(job, model)
    profile = shapes.profile(model, sizes)
    built = tensorrt_rtx.build(model.SerializeToString(), job.target.compute_capabilities, profile)
    return Ahead(built, sizes, (*notes, *_changed(model, built), *_unread(built)))


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


def _changed(model: ModelProto, built: Built) -> list[str]:
    """Say where the library gave an input or output another element type than the model."""
    found = []
    for infos, theirs in ((model.graph.input, built.inputs), (model.graph.output, built.outputs)):
        for info in infos:
            wanted = dtype_name(info.type.tensor_type.elem_type)
            name = theirs.get(info.name, wanted).split()[0]
            if (got := _NAMES.get(name, name)) != wanted:
                found.append(f"{info.name} is {wanted} in the model and {got} in the plan")
    return found


def _unread(built: Built) -> list[str]:
    if built.contents.nodes or not built.layers:
        return []
    return ["the plan names no convolution and no matrix product: its precision is not read back"]

"""The model as OpenVINO compiles it for this processor, beside the ONNX model, and read back."""

from __future__ import annotations

from onnx import ModelProto

from mien.engine.backends import openvino_build
from mien.engine.beside import Ahead, changed
from mien.engine.blob import FILE
from mien.engine.job import Job
from mien.errors import CorruptError


def build(job: Job, model: ModelProto) -> Ahead:
    """Compile the model; raises `InputError` with OpenVINO's reason, `CorruptError` off the processor."""
    job.tell("compiling in OpenVINO", 0.0)
    built = openvino_build.build(model.SerializeToString())
    if any(device != "CPU" for device in built.devices):
        raise CorruptError(f"OpenVINO would run the model on {', '.join(built.devices)}, not on the CPU")
    about = {
        "inputs": dict(built.inputs),
        "outputs": dict(built.outputs),
        "devices": list(built.devices),
        "nodes": dict(built.nodes),
        "reference_code": dict(built.slow),
        "axes": _axes(model),
        "metadata": {entry.key: entry.value for entry in model.metadata_props},
        "seconds": round(built.seconds, 3),
    }
    slow = ", ".join(f"{count} {kind}" for kind, count in built.slow.items())
    notes = [f"OpenVINO has only reference code, which is slow, for {slow}"] if slow else []
    types = changed(model, built.inputs, built.outputs)
    return Ahead(FILE, built.data, built.executed, about, (*types, *notes))


def _axes(model: ModelProto) -> dict[str, list[int | str | None]]:
    """Return the sizes and names of axes, which OpenVINO does not keep; None where there is neither."""
    return {
        info.name: [
            size.dim_value if size.HasField("dim_value") else size.dim_param or None
            for size in info.type.tensor_type.shape.dim
        ]
        for info in (*model.graph.input, *model.graph.output)
        if info.type.tensor_type.HasField("shape")
    }

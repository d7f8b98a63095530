"""The child's work: parse a model, build its plan, and say what each step found."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

from mien.engine.backends.report import Report
from mien.engine.backends.tensorrt_rtx.library import RTX, from_log, from_parser, library, listener
from mien.engine.backends.tensorrt_rtx.shapes import Profile


def task(
    path: Path, *, capabilities: list[str], profile: Profile, out: str | None, name: str = RTX
) -> dict[str, Any]:
    """Build `path` for compute capabilities (`"8.9"`); the plan goes to `out`, or nowhere.

    `name`: the library; TensorRT itself takes no compute capabilities.

    The answer: `reports` (none: it was built), `layers`, `inputs`, `outputs`, `bytes`, `seconds`.
    """
    rtx = library(name)
    ear = listener(rtx)
    builder = rtx.Builder(ear)
    data = path.read_bytes()
    if reports := _complaints(rtx, builder, ear, data, path):
        return _answer(reports)
    network = builder.create_network(_typed(rtx))
    parser = rtx.OnnxParser(network, ear)  # it owns the weights that the network only points to
    if not parser.parse(data, str(path)):
        return _answer(_found(parser, ear))
    ear.errors.clear()
    if deciding := _deciding(network, profile):
        return _answer([Report("build", "SHAPE_INPUT", f"the values of input {deciding} decide a shape")])
    began = time.perf_counter()
    config = _config(rtx, builder, capabilities, profile)
    plan = builder.build_serialized_network(network, config)
    if plan is None:
        return _answer(from_log("build", ear.errors) or [Report("build", "ERROR", "it gave no reason")])
    if out is not None:
        Path(out).write_bytes(memoryview(plan))
    return _answer([], **_described(network), bytes=plan.nbytes, seconds=time.perf_counter() - began)


def _complaints(rtx: ModuleType, builder: Any, ear: Any, data: bytes, path: Path) -> list[Report]:
    """Return all that is wrong with the model, not only what comes first."""
    network = builder.create_network(_typed(rtx))  # the parser does not keep it
    parser = rtx.OnnxParser(network, ear)
    found = [] if parser.supports_model_v2(data, str(path)) else _found(parser, ear)
    ear.errors.clear()
    return found


def _found(parser: Any, ear: Any) -> list[Report]:
    found = from_parser(parser) or from_log("parse", ear.errors)
    return found or [Report("parse", "ERROR", "it gave no reason")]


def _deciding(network: Any, profile: Profile) -> str:
    """Return the inputs whose values, not shapes, must be known to build."""
    inputs = [network.get_input(place) for place in range(network.num_inputs)]
    names = [t.name for t in inputs if t.is_shape_tensor and t.name not in profile]
    return ", ".join(names)


def _config(rtx: ModuleType, builder: Any, capabilities: list[str], profile: Profile) -> Any:
    config = builder.create_builder_config()
    config.clear_flag(rtx.BuilderFlag.TF32)  # fp32 means fp32
    if capabilities:
        config.num_compute_capabilities = len(capabilities)
    for place, capability in enumerate(capabilities):
        kind = getattr(rtx.ComputeCapability, "SM" + capability.replace(".", ""))
        config.set_compute_capability(kind, place)
    if profile:
        shapes = builder.create_optimization_profile()
        for name, (least, usual, most) in profile.items():
            shapes.set_shape(name, tuple(least), tuple(usual), tuple(most))
        config.add_optimization_profile(shapes)
    return config


def _typed(rtx: ModuleType) -> int:
    """Return the flag by which precision is that of the graph: RTX knows no other way."""
    kinds = rtx.NetworkDefinitionCreationFlag
    strongly = getattr(kinds, "STRONGLY_TYPED", None)
    return 0 if strongly is None or rtx.__name__ != "tensorrt" else 1 << int(strongly)


def _described(network: Any) -> dict[str, Any]:
    tensors = [network.get_input(i) for i in range(network.num_inputs)]
    results = [network.get_output(i) for i in range(network.num_outputs)]
    return {
        "layers": network.num_layers,
        "inputs": {tensor.name: _type(tensor) for tensor in tensors},
        "outputs": {tensor.name: _type(tensor) for tensor in results},
    }


def _type(tensor: Any) -> str:
    return f"{tensor.dtype.name.lower()} ({', '.join(map(str, tensor.shape))})"


def _answer(reports: list[Report], **facts: Any) -> dict[str, Any]:
    return {"reports": [asdict(report) for report in reports], **facts}

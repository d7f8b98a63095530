"""The child's work for `mien check MODEL`: which operators a backend takes, and at which sizes it runs.

ONNX Runtime is asked for its registry of kernels, OpenVINO by `query_model`; then the model is loaded and
run at the corners of the ranges of its free axes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import onnx
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto

from mien.engine.backends.reference import Session
from mien.engine.inspect.generate import generate
from mien.errors import InputError, MienError, require

Sizes = dict[str, int]  # axis → its size
Inputs = Mapping[str, NDArray[Any]]
_STANDARD: Final = ("", "ai.onnx")
_BODIES: Final = ("If", "Loop", "Scan", "Constant")  # run by the session itself, or folded


def onnxruntime(path: Path, *, corners: list[Sizes]) -> dict[str, Any]:
    """Answer for ONNX Runtime on the CPU: `nodes`, `lacking` operators → nodes, `corners`."""
    model = onnx.load(path)
    known = _kernels()
    versions = {each.domain: each.version for each in model.opset_import}
    lacking = Counter(
        node.op_type
        for node in _nodes(model.graph)
        if not _has(known, node, versions) and node.op_type not in _BODIES
    )
    for function in model.functions:  # its body was written into the file
        lacking.pop(function.name, None)
    session = Session(model, optimise=True)
    return _answer(model, _tried(model, corners, lambda given: session.run(given)), lacking)


def openvino(path: Path, *, corners: list[Sizes]) -> dict[str, Any]:
    """Answer for OpenVINO on the CPU, in the same form."""
    library = require("openvino", extra="measure")
    core, model = library.Core(), onnx.load(path)
    graph = core.read_model(path)
    taken = set(core.query_model(graph, "CPU"))
    lacking = Counter(
        op.get_type_name() for op in graph.get_ordered_ops() if op.get_friendly_name() not in taken
    )
    request = core.compile_model(graph, "CPU", {"INFERENCE_NUM_THREADS": 2}).create_infer_request()
    return _answer(model, _tried(model, corners, lambda given: request.infer(dict(given))), lacking)


def _answer(model: ModelProto, corners: list[dict[str, Any]], lacking: Counter[str]) -> dict[str, Any]:
    nodes = sum(1 for _ in _nodes(model.graph))
    return {"nodes": nodes, "lacking": dict(lacking), "corners": corners}


def _tried(model: ModelProto, corners: list[Sizes], run: Callable[[Inputs], Any]) -> list[dict[str, Any]]:
    """Run at each corner; `reason` is empty where it ran."""
    return [{"sizes": sizes, "reason": _one(model, sizes, run)} for sizes in corners]


def _one(model: ModelProto, sizes: Sizes, run: Callable[[Inputs], Any]) -> str:
    try:
        given = generate(sized(model, sizes))
    except InputError as error:
        return f"no inputs: {error}"
    try:
        run(given)
    except (MienError, RuntimeError) as error:
        return " ".join(str(error).split())[:200]
    return ""


def sized(model: ModelProto, sizes: Sizes) -> ModelProto:
    """Return `model` with free axes of its inputs set to sizes; its nodes and weights are shared."""
    made = ModelProto()
    made.graph.input.extend(model.graph.input)
    made.graph.initializer.extend(model.graph.initializer)
    made.graph.node.extend(model.graph.node)
    made.opset_import.extend(model.opset_import)
    for info in made.graph.input:
        for axis, dim in enumerate(info.type.tensor_type.shape.dim):
            name = dim.dim_param or f"{info.name}.{axis}"
            if not dim.HasField("dim_value") and name in sizes:
                dim.dim_value = sizes[name]
    return made


def _kernels() -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Return domain and operator → the ranges of operator sets that ONNX Runtime's CPU has kernels for."""
    runtime = require("onnxruntime", extra="voice")
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for each in runtime.capi.onnxruntime_pybind11_state.get_all_opkernel_def():
        first, last = each.version_range
        found.setdefault((each.domain, each.op_name), []).append((int(first), int(last)))
    return found


def _has(
    known: dict[tuple[str, str], list[tuple[int, int]]], node: onnx.NodeProto, versions: dict[str, int]
) -> bool:
    """Return whether there is a kernel; an operator that ONNX defines by others needs none."""
    domain = "" if node.domain in _STANDARD else node.domain
    version = versions.get(node.domain, versions.get("ai.onnx", 1) if not domain else 1)
    try:
        schema = onnx.defs.get_schema(node.op_type, version, domain)
    except onnx.defs.SchemaError:
        since = version
    else:
        if schema.has_function or schema.has_context_dependent_function:  # type: ignore[attr-defined]
            return True
        since = schema.since_version
    ranges = known.get((domain, node.op_type), [])
    return any(first <= version <= last or first <= since <= last for first, last in ranges)


def _nodes(graph: GraphProto) -> Iterator[onnx.NodeProto]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from _nodes(inner)


def operators(path: Path) -> dict[str, int]:
    """Return the operators of a file → how many nodes; of other domains as `domain:name`."""
    model = onnx.load(path, load_external_data=False)
    counted = Counter(
        node.op_type if node.domain in _STANDARD else f"{node.domain}:{node.op_type}"
        for node in _nodes(model.graph)
    )
    return dict(counted)

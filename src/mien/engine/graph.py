"""ONNX graphs as data: read, cut at tensors, expose inner tensors, rename."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, shape_inference

from mien.errors import CorruptError, InputError, MissingError, nearest

MAX_BYTES = 2**31 - 1  # protobuf's own limit for one message
_SMALL = 1024  # bytes of a weight that may be a shape


def load(path: Path, *, max_bytes: int = MAX_BYTES) -> ModelProto:
    """Read an ONNX file; raises `MissingError` without it, `CorruptError` if it is no model or too large."""
    try:
        size = path.stat().st_size
    except OSError:
        raise MissingError(f"no model {str(path)!r}; give the path of an .onnx file") from None
    if size > max_bytes:
        raise CorruptError(f"model {str(path)!r} has {size:,} bytes; the limit is {max_bytes:,}")
    return parse(path.read_bytes(), name=str(path))


def check_file(path: Path) -> None:
    """Raise `MissingError` when there is no such file."""
    if not path.is_file():
        raise MissingError(f"no model {str(path)!r}; give the path of an .onnx file")


def parse(data: bytes, *, name: str = "model") -> ModelProto:
    """Return the model in `data`, or raise `CorruptError` naming `name`."""
    try:
        model = onnx.load_model_from_string(data)
    except DecodeError:
        raise CorruptError(f"{name!r} is not an ONNX model (or cut short); fetch it again") from None
    if not model.graph.node or not model.graph.output:
        raise CorruptError(f"{name!r} is an ONNX file without nodes or outputs; fetch it again")
    return model


def producers(model: ModelProto) -> dict[str, NodeProto]:
    """Return each tensor's producing node by the tensor's name."""
    return {output: node for node in model.graph.node for output in node.output if output}


def consumers(model: ModelProto) -> dict[str, list[NodeProto]]:
    """Return each tensor's consuming nodes, in graph order, by the tensor's name."""
    found: dict[str, list[NodeProto]] = {}
    for node in model.graph.node:
        for name in node.input:
            if name:
                found.setdefault(name, []).append(node)
    return found


def constants(model: ModelProto) -> dict[str, onnx.TensorProto]:
    """Return the tensors known without running: initialisers and `Constant` nodes' values."""
    found = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            found.update((node.output[0], a.t) for a in node.attribute if a.name == "value")
    return found


def value_infos(model: ModelProto) -> dict[str, ValueInfoProto]:
    """Return what is known of each tensor's type and shape, the model's own statements first."""
    graph = model.graph
    infos = {info.name: info for info in [*graph.value_info, *graph.input, *graph.output]}
    wanted = {name for node in graph.node for name in node.output if name} - infos.keys()
    if wanted:
        inferred = shape_inference.infer_shapes(skeleton(model), data_prop=False).graph.value_info
        infos |= {info.name: info for info in inferred if info.name in wanted}
    return infos


def skeleton(model: ModelProto) -> ModelProto:
    """Return the model without its large weights: what shape inference looks at, much faster."""
    made = ModelProto(ir_version=model.ir_version)
    made.opset_import.extend(model.opset_import)
    made.functions.extend(model.functions)
    made.graph.name = model.graph.name
    for field in ("node", "input", "output", "value_info", "sparse_initializer"):
        getattr(made.graph, field).extend(getattr(model.graph, field))
    for tensor in model.graph.initializer:
        if len(tensor.raw_data) <= _SMALL:
            made.graph.initializer.append(tensor)
            continue
        light = made.graph.initializer.add(
            name=tensor.name, dims=tensor.dims, data_type=tensor.data_type, data_location=TensorProto.EXTERNAL
        )
        light.external_data.add(key="location", value="left-out")
    return made


def cut(model: ModelProto, inputs: Sequence[str], outputs: Sequence[str]) -> ModelProto:
    """Return the part of `model` that computes `outputs` from `inputs` (tensor names).

    Graph inputs that the part still needs stay inputs, behind those that are named. Raises
    `InputError` for a tensor that the model does not have.
    """
    infos = value_infos(model)
    for name in [*inputs, *outputs]:
        if name not in infos:
            raise InputError(f"the model has no tensor {name!r}{nearest(name, infos)}")
    nodes, needed = _upstream(model, set(inputs), outputs)
    given = [info.name for info in model.graph.input if info.name in needed and info.name not in inputs]
    part = helper.make_graph(
        nodes,
        model.graph.name or "part",
        [infos[name] for name in [*inputs, *given]],
        [infos[name] for name in outputs],
        [tensor for tensor in model.graph.initializer if tensor.name in needed],
    )
    made = {name for node in nodes for name in node.output} - set(outputs)
    part.value_info.extend(info for info in model.graph.value_info if info.name in made)
    return _like(model, part)


def expose(model: ModelProto, tensors: Iterable[str]) -> ModelProto:
    """Return `model` with inner tensors as further outputs; raises `InputError` for an unknown one."""
    infos = value_infos(model)
    made = ModelProto()
    made.CopyFrom(model)
    present = {info.name for info in model.graph.output}
    for name in tensors:
        if name not in infos:
            raise InputError(f"the model has no tensor {name!r}{nearest(name, infos)}")
        if name not in present:
            made.graph.output.append(infos[name])
    return made


def rename(model: ModelProto, names: dict[str, str]) -> ModelProto:
    """Return `model` with tensors renamed (old name → new name) wherever they occur outside subgraphs."""
    made = ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    for info in [*graph.input, *graph.output, *graph.value_info, *graph.initializer]:
        info.name = names.get(info.name, info.name)
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
    return made


def prune(model: ModelProto) -> ModelProto:
    """Return `model` without nodes and initialisers that no output needs."""
    inputs = [info.name for info in model.graph.input]
    return cut(model, inputs, [info.name for info in model.graph.output])


def _upstream(model: ModelProto, stop: set[str], outputs: Sequence[str]) -> tuple[list[NodeProto], set[str]]:
    """Return the nodes behind `outputs` up to `stop`, in graph order, and all tensors they read."""
    producer = producers(model)
    wanted, needed, chosen = list(outputs), set(outputs), set()
    while wanted:
        name = wanted.pop()
        node = producer.get(name)
        if name in stop or node is None or id(node) in chosen:
            continue
        chosen.add(id(node))
        fresh = set(node.input) | captured(node)
        wanted += fresh - needed - {""}
        needed |= fresh
    return [node for node in model.graph.node if id(node) in chosen], needed


def captured(node: NodeProto) -> set[str]:
    """Return the outer tensors that a node's subgraphs (`If`, `Loop`) may read."""
    names: set[str] = set()
    for attribute in node.attribute:
        for inner in [attribute.g, *attribute.graphs]:
            for child in inner.node:
                names |= set(child.input) | captured(child)
            names |= {info.name for info in inner.output}
    return names


def _like(model: ModelProto, graph: onnx.GraphProto) -> ModelProto:
    """Return a model around `graph` with the versions, domains and functions of `model`."""
    made = helper.make_model(graph, opset_imports=list(model.opset_import), functions=list(model.functions))
    made.ir_version = model.ir_version
    made.producer_name = model.producer_name
    made.metadata_props.extend(model.metadata_props)
    return made

"""Edits that passes are made of. They change the model in place: work on a `copied` one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper, shape_inference

from mien.engine.graph import skeleton
from mien.engine.validate.names import subgraphs

_INITIALISERS_ALONE = 4  # from this IR version on, an initialiser needs no input of its name


def copied(model: ModelProto) -> ModelProto:
    """Return a copy that may be edited."""
    made = ModelProto()
    made.CopyFrom(model)
    return made


def opset(model: ModelProto) -> int:
    """Return the version of ONNX's own operators."""
    return next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)


def is_standard(node: NodeProto, *op_types: str) -> bool:
    """Whether a node is one of ONNX's own operators, of these types if any are named."""
    return node.domain in ("", "ai.onnx") and (not op_types or node.op_type in op_types)


def attributes(node: NodeProto) -> dict[str, Any]:
    """Return a node's attributes as Python values."""
    return {a.name: helper.get_attribute_value(a) for a in node.attribute if not a.ref_attr_name}


def known(model: ModelProto) -> dict[str, TensorProto]:
    """Return the tensors whose values nobody can change: initialisers that are no input, `Constant` nodes."""
    late = model.ir_version >= _INITIALISERS_ALONE
    inputs = {info.name for info in model.graph.input} if late else set()
    return {name: t for name, t in held(model.graph).items() if name not in inputs}


def held(graph: GraphProto) -> dict[str, TensorProto]:
    """Return a graph's initialisers and `Constant` nodes' values by name."""
    found = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if is_standard(node, "Constant"):
            value = _constant(node)
            if value is not None:
                found[node.output[0]] = value
    return found


def _constant(node: NodeProto) -> TensorProto | None:
    """Return the tensor of a `Constant` node, in whichever of its attributes it stands."""
    kinds = {
        "value_int": np.int64,
        "value_ints": np.int64,
        "value_float": np.float32,
        "value_floats": np.float32,
    }
    for attribute in node.attribute:
        if attribute.name == "value":
            value: TensorProto = attribute.t
            return value
        if attribute.name in kinds:
            array = np.array(helper.get_attribute_value(attribute), kinds[attribute.name])
            return numpy_helper.from_array(array, node.output[0])
    return None


def put(model: ModelProto, name: str, value: NDArray[Any]) -> None:
    """Add a constant tensor."""
    tensor = numpy_helper.from_array(value, name)
    if model.ir_version >= _INITIALISERS_ALONE and name not in {info.name for info in model.graph.output}:
        model.graph.initializer.append(tensor)
    else:
        model.graph.node.insert(0, helper.make_node("Constant", [], [name], value=tensor))


def keep_nodes(graph: GraphProto, nodes: Iterable[NodeProto]) -> None:
    """Make `nodes` the nodes of a graph, in this order."""
    chosen = list(nodes)
    del graph.node[:]
    graph.node.extend(chosen)


def uses(graph: GraphProto) -> Counter[str]:
    """Return how often each tensor is read: by nodes, inner graphs and as an output."""
    counted: Counter[str] = Counter(info.name for info in graph.output)
    for node in graph.node:
        counted.update(name for name in node.input if name)
        for inner in subgraphs(node):
            counted.update(uses(inner))
    return counted


def rename(graph: GraphProto, names: Mapping[str, str]) -> None:
    """Give tensors other names wherever they are read, in inner graphs too; outputs keep theirs."""
    if not names:
        return
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        for inner in subgraphs(node):
            rename(inner, names)
            for info in inner.output:
                info.name = names.get(info.name, info.name)


def bypass(model: ModelProto, idle: Callable[[NodeProto], bool]) -> int:
    """Remove nodes that only pass their first input on; return how many.

    One that makes an output of the model stays when its input has another name to keep.
    """
    graph = model.graph
    outputs = {info.name for info in graph.output}
    names: dict[str, str] = {}
    kept = []
    for node in graph.node:
        if idle(node) and node.output[0] not in outputs:
            names[node.output[0]] = names.get(node.input[0], node.input[0])
        else:
            kept.append(node)
    if names:
        keep_nodes(graph, kept)
        rename(graph, names)
        forget(graph, names)
    return len(names)


def forget(graph: GraphProto, names: Iterable[str]) -> None:
    """Drop what is stated of tensors that are gone."""
    gone = set(names)
    stated = [info for info in graph.value_info if info.name not in gone]
    del graph.value_info[:]
    graph.value_info.extend(stated)


def types(model: ModelProto) -> dict[str, int]:
    """Return each tensor's ONNX element type, as far as it is stated or can be inferred."""
    found = {name: tensor.data_type for name, tensor in held(model.graph).items()}
    for info in infos(model):
        if info.type.HasField("tensor_type"):
            found.setdefault(info.name, info.type.tensor_type.elem_type)
    return {name: kind for name, kind in found.items() if kind}


def shapes(model: ModelProto) -> dict[str, tuple[int | None, ...]]:
    """Return the shapes of the tensors whose rank is known; None is a size that is not."""
    found: dict[str, tuple[int | None, ...]] = {n: tuple(t.dims) for n, t in held(model.graph).items()}
    for info in infos(model):
        kind = info.type.tensor_type
        if info.type.HasField("tensor_type") and kind.HasField("shape"):
            sizes = (int(d.dim_value) if d.HasField("dim_value") else None for d in kind.shape.dim)
            found.setdefault(info.name, tuple(sizes))
    return found


def sizes(model: ModelProto) -> dict[str, int]:
    """Return the numbers of elements of the tensors whose sizes are all known."""
    found = shapes(model).items()
    return {name: math.prod(n or 0 for n in shape) for name, shape in found if None not in shape}


def infos(model: ModelProto) -> list[Any]:
    """Return everything stated or inferred of the main graph's tensors."""
    graph = _inferred(model).graph
    return [*graph.input, *graph.output, *graph.value_info]


def _inferred(model: ModelProto) -> ModelProto:
    """Return the model after shape inference, with large weights left out of it."""
    try:
        return shape_inference.infer_shapes(skeleton(model), data_prop=True)
    except (shape_inference.InferenceError, RuntimeError):
        return model

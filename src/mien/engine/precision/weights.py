"""Weights alone in int8: a file of a quarter of the size, computed in float."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from mien.engine.graph import prune
from mien.engine.precision.plan import Plan
from mien.errors import InputError

_LEAST = 4_096  # numbers; for fewer a scale a channel and a node cost more than they save
_LEAST_OPSET = 13
_AXES = {"Conv": 0, "ConvTranspose": 1, "Gemm": 1, "MatMul": -1}  # of the output channels


def candidates(model: ModelProto) -> Plan:
    """Return the plan that stores the larger weights of convolutions and matrix products in int8."""
    weights = _weights(model)
    nodes = {node.name: "w8" for node in model.graph.node if _weight(node) in weights}
    if not nodes:
        raise InputError(f"no weights of {_LEAST:,} numbers or more to store in int8")
    return Plan("w8", nodes)


def store(model: ModelProto, plan: Plan) -> ModelProto:
    """Return `model` with the plan's weights in int8 behind a `DequantizeLinear`, symmetric, per channel."""
    opset = next((o.version for o in model.opset_import if not o.domain), 0)
    if opset < _LEAST_OPSET:
        raise InputError(f"int8 needs operator set {_LEAST_OPSET}, the model has {opset}; export it again")
    weights = _weights(model)
    made = ModelProto()
    made.CopyFrom(model)
    nodes: list[NodeProto] = []
    stored: dict[tuple[str, int], str] = {}
    for node in made.graph.node:
        if node.name in plan.nodes:
            axis = _axis(node) % len(weights[node.input[1]].dims)
            key = (node.input[1], axis)
            if key not in stored:
                stored[key] = f"{key[0]}/w8" if axis == 0 else f"{key[0]}/w8/{axis}"
                nodes.append(_stored(made, weights[key[0]], axis, stored[key]))
            node.input[1] = stored[key]
        nodes.append(node)
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    return prune(made)


def _stored(model: ModelProto, tensor: TensorProto, axis: int, name: str) -> NodeProto:
    """Add the int8 form of a weight; return the node that makes it float."""
    value = numpy_helper.to_array(tensor).astype(np.float32)
    others = tuple(n for n in range(value.ndim) if n != axis)
    scale = np.abs(value).max(axis=others, keepdims=True) / 127.0
    scale = np.where(scale > 0, scale, 1.0).astype(np.float32)
    whole: NDArray[np.int8] = np.clip(np.rint(value / scale), -127, 127).astype(np.int8)
    parts = {"int8": whole, "scale": scale.reshape(-1), "zero": np.zeros(scale.size, np.int8)}
    for part, array in parts.items():
        model.graph.initializer.append(numpy_helper.from_array(array, f"{name}/{part}"))
    return helper.make_node(
        "DequantizeLinear", [f"{name}/{part}" for part in parts], [name], f"{name}/dequantise", axis=axis
    )


def _weights(model: ModelProto) -> dict[str, TensorProto]:
    return {
        tensor.name: tensor
        for tensor in model.graph.initializer
        if tensor.data_type == TensorProto.FLOAT and math.prod(tensor.dims) >= _LEAST and len(tensor.dims) > 1
    }


def _weight(node: NodeProto) -> str:
    return node.input[1] if node.op_type in _AXES else ""


def _axis(node: NodeProto) -> int:
    if node.op_type == "Gemm" and any(a.name == "transB" and a.i for a in node.attribute):
        return 0
    return _AXES[node.op_type]

"""Weights: sizes that are true, within the limits, and made of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto, numpy_helper

from mien.engine.validate.external import check_external
from mien.engine.validate.finding import Finding, error, warning
from mien.engine.validate.limits import Limits
from mien.engine.validate.names import subgraphs
from mien.engine.validate.sizes import tensor_bytes

_FLOATS: Final = frozenset((TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16))
_BLOCK: Final = 1 << 22  # elements looked at in one go


def check_tensors(model: ModelProto, folder: Path | None, limits: Limits) -> Iterator[Finding]:
    """Yield what is wrong with the weights and the stated shapes; `folder` holds the external data."""
    total, external = 0, []
    for tensor, weight in _graph_tensors(model.graph):
        size = math.prod(tensor.dims)
        if tensor.data_location == TensorProto.EXTERNAL:
            external.append(tensor)
        bad = list(_check_size(tensor, size, limits))
        yield from bad
        if not bad:
            total += tensor_bytes(tensor)
            yield from _check_content(tensor, size, weight)
    if total > limits.weight_bytes:
        message = f"the weights take {total:,} bytes; the limit is {limits.weight_bytes:,}"
        yield error("weights-too-large", message, "split the model, or store the weights in fewer bits")
    yield from check_external(external, folder, limits)
    yield from _check_shapes(model.graph, limits)


def tensors(model: ModelProto) -> Iterator[TensorProto]:
    """Yield every tensor that the file holds: initialisers and attributes, in inner graphs too."""
    for tensor, _ in _graph_tensors(model.graph):
        yield tensor


def _graph_tensors(graph: GraphProto) -> Iterator[tuple[TensorProto, bool]]:
    """Yield each tensor, and whether it is a weight: other attributes may hold NaN on purpose."""
    for tensor in graph.initializer:
        yield tensor, True
    for sparse in graph.sparse_initializer:
        yield sparse.values, True
        yield sparse.indices, False
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t, node.op_type == "Constant"
            for tensor in attribute.tensors:
                yield tensor, False
        for inner in subgraphs(node):
            yield from _graph_tensors(inner)


def _check_size(tensor: TensorProto, size: int, limits: Limits) -> Iterator[Finding]:
    name, shape = tensor.name, _shape(tensor.dims)
    if tensor.data_type not in TensorProto.DataType.values() or not tensor.data_type:
        message = f"tensor {name!r} has the unknown element type {tensor.data_type}"
        yield error("tensor-type", message, "export again, or update onnx", name)
    elif any(n < 0 for n in tensor.dims):
        message = f"tensor {name!r} has a negative size: {shape}"
        yield error("tensor-shape", message, "export again", name)
    elif size > limits.tensor_elements:
        message = f"tensor {name!r} {shape} has {size:,} elements; the limit is {limits.tensor_elements:,}"
        yield error("tensor-too-large", message, "do not trust the file, or split the tensor", name)


def _check_content(tensor: TensorProto, size: int, weight: bool) -> Iterator[Finding]:
    """Yield whether a tensor held in the file is whole and, if a weight, made of finite numbers."""
    if tensor.data_location == TensorProto.EXTERNAL:
        return
    name, held, needed = tensor.name, _held(tensor), tensor_bytes(tensor)
    if held is not None and held != needed:
        message = f"tensor {name!r} {_shape(tensor.dims)} needs {needed:,} bytes, {held:,} are there"
        yield error("tensor-cut-short", message, "fetch the file again, or export again", name)
        return
    if tensor.data_type in _FLOATS and size and weight:
        yield from _check_finite(name, numpy_helper.to_array(tensor))


def _check_finite(name: str, values: NDArray[np.generic]) -> Iterator[Finding]:
    flat = values.reshape(-1)
    nan = infinite = 0
    for i in range(0, flat.size, _BLOCK):
        block = flat[i : i + _BLOCK].astype(np.float64)
        nan += int(np.isnan(block).sum())
        infinite += int(np.isinf(block).sum())
    if nan:
        message = f"tensor {name!r} holds {nan:,} NaN among {flat.size:,} values: every output may be NaN"
        yield error("nan-weights", message, "take an earlier checkpoint; training has diverged", name)
    if infinite:
        message = f"tensor {name!r} holds {infinite:,} infinite values among {flat.size:,}"
        yield warning("inf-weights", message, "harmless in an attention mask; keep it out of fp16", name)


def _held(tensor: TensorProto) -> int | None:
    """Return how many bytes of raw data are there, None when the values are stored one by one."""
    if tensor.HasField("raw_data"):
        return len(tensor.raw_data)
    if tensor.data_type == TensorProto.STRING:
        return len(tensor.string_data)
    lengths = {
        TensorProto.FLOAT: len(tensor.float_data) * 4,
        TensorProto.DOUBLE: len(tensor.double_data) * 8,
        TensorProto.INT64: len(tensor.int64_data) * 8,
        TensorProto.INT32: len(tensor.int32_data) * 4,
        TensorProto.FLOAT16: len(tensor.int32_data) * 2,
        TensorProto.BFLOAT16: len(tensor.int32_data) * 2,
        TensorProto.INT8: len(tensor.int32_data),
        TensorProto.UINT8: len(tensor.int32_data),
        TensorProto.BOOL: len(tensor.int32_data),
    }
    return lengths.get(TensorProto.DataType.ValueType(tensor.data_type))


def _check_shapes(graph: GraphProto, limits: Limits) -> Iterator[Finding]:
    """Yield the stated tensors that would be too large to hold."""
    for info in [*graph.input, *graph.value_info, *graph.output]:
        sizes = _sizes(info)
        if any(n < 0 for n in sizes):
            message = f"{info.name!r} has a negative size: {_shape(sizes)}"
            yield error("tensor-shape", message, "give a free size a name instead", info.name)
        elif math.prod(sizes) > limits.tensor_elements:
            message = f"{info.name!r} is stated as {_shape(sizes)}: {math.prod(sizes):,} elements"
            message += f"; the limit is {limits.tensor_elements:,}"
            yield error("tensor-too-large", message, "export with the sizes you use", info.name)


def _sizes(info: ValueInfoProto) -> list[int]:
    dims = info.type.tensor_type.shape.dim
    return [dim.dim_value for dim in dims if dim.HasField("dim_value")]


def _shape(dims: object) -> str:
    return "x".join(str(n) for n in list(dims)[:8]) or "scalar"  # type: ignore[call-overload]

"""Inputs made up for a model, to see whether a pass changes anything. Never for calibration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, ValueInfoProto
from onnx.helper import tensor_dtype_to_np_dtype

from mien.engine.passes import edit
from mien.errors import InputError

FREE_SIZE: Final = 12  # for sizes that the model leaves open, but for the batch
_MAX_ELEMENTS: Final = 1 << 24
_BATCHES: Final = ("batch", "n", "b", "bs")
_FORWARD: Final = ("Cast", "Unsqueeze", "Squeeze", "Reshape", "Identity")


def generate(model: ModelProto, seed: int = 0) -> dict[str, NDArray[Any]]:
    """Return an array for each input: floats from 0.1 to 1, indices within the table they look up.

    Other integers are `FREE_SIZE`, as lengths of free axes are. Raises `InputError` naming an input whose
    type, rank or size gives nothing to go by.
    """
    rng = np.random.default_rng(seed)
    given = {tensor.name for tensor in model.graph.initializer}
    bounds = _bounds(model)
    return {
        info.name: _array(info, bounds.get(info.name), rng)
        for info in model.graph.input
        if info.name not in given
    }


def _array(info: ValueInfoProto, bound: int | None, rng: np.random.Generator) -> NDArray[Any]:
    kind = info.type.tensor_type
    if not info.type.HasField("tensor_type") or not kind.HasField("shape"):
        raise InputError(f"input {info.name!r} states no shape; no values can be made up")
    shape = tuple(_size(dim.dim_value, dim.dim_param, axis) for axis, dim in enumerate(kind.shape.dim))
    if np.prod(shape, dtype=np.float64) > _MAX_ELEMENTS:
        raise InputError(f"input {info.name!r} {shape} is too large to make values up")
    dtype = np.dtype(tensor_dtype_to_np_dtype(kind.elem_type))
    if dtype.kind == "b":
        return np.ones(shape, dtype)
    if dtype.kind in "iu":
        values = np.full(shape, FREE_SIZE) if bound is None else rng.integers(0, max(1, bound), shape)
        return values.astype(dtype)
    if dtype.kind not in "fV":
        raise InputError(f"input {info.name!r} holds {dtype}; no values can be made up")
    return rng.uniform(0.1, 1.0, shape).astype(dtype)


def _size(value: int, name: str, axis: int) -> int:
    if value > 0:
        return value
    return (
        1
        if (axis == 0 and not name) or name.lower().startswith(_BATCHES[0]) or name.lower() in _BATCHES
        else FREE_SIZE
    )


def _bounds(model: ModelProto) -> dict[str, int]:
    """Return, for inputs that look a constant table up, the number of its rows."""
    tables = {name: tensor.dims for name, tensor in edit.held(model.graph).items()}
    sources = {info.name: info.name for info in model.graph.input}
    found: dict[str, int] = {}
    for node in model.graph.node:
        if edit.is_standard(node, *_FORWARD) and node.input[0] in sources:
            sources[node.output[0]] = sources[node.input[0]]
        for name, rows in _looked_up(node, tables):
            if name in sources:
                source = sources[name]
                found[source] = min(rows, found.get(source, rows))
    return found


def _looked_up(node: NodeProto, tables: dict[str, Any]) -> Iterator[tuple[str, int]]:
    if edit.is_standard(node, "Gather") and tables.get(node.input[0]):
        axis = int(edit.attributes(node).get("axis", 0))
        yield node.input[1], int(tables[node.input[0]][axis])

"""A TFLite file as plain data: its tensors and operators, by the schema's own bindings (package `tflite`)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mien.engine.importers.tflite.sparse import Level, dense
from mien.errors import CorruptError, InputError, require

_DTYPES: Final = {
    "FLOAT32": np.float32,
    "FLOAT16": np.float16,
    "FLOAT64": np.float64,
    "INT8": np.int8,
    "UINT8": np.uint8,
    "INT16": np.int16,
    "INT32": np.int32,
    "INT64": np.int64,
    "BOOL": np.bool_,
}
BROKEN: Final = (struct.error, IndexError, ValueError, TypeError, AttributeError, KeyError, OverflowError)


@dataclass(frozen=True, slots=True)
class Tensor:
    """`value` is that of a constant; its weights are float32 whatever the file stores them in."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    value: NDArray[Any] | None


@dataclass(frozen=True, slots=True)
class Operator:
    """`inputs` and `outputs`: places of tensors, -1 for an absent one; `options`: by the schema's names."""

    kind: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Graph:
    """A file's first subgraph."""

    tensors: tuple[Tensor, ...]
    operators: tuple[Operator, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


def read(data: bytes, *, name: str) -> Graph:
    """Return the graph; raises `CorruptError` for a file that is none, `InputError` for several subgraphs."""
    schema = require("tflite", extra="tflite")
    if data[4:8] != b"TFL3":
        raise CorruptError(f"{name!r} is not a TFLite model; give a .tflite file")
    try:
        model = schema.Model.GetRootAsModel(data, 0)
        count = model.SubgraphsLength()
        if count == 1:
            return _graph(schema, model, model.Subgraphs(0))
    except BROKEN as error:
        raise CorruptError(f"{name!r} is a TFLite file that is broken ({error}); fetch it again") from None
    raise InputError(f"{name!r} has {count} subgraphs (control flow); mien reads TFLite files with one")


def _graph(schema: Any, model: Any, inside: Any) -> Graph:
    tensors = tuple(_tensor(model, inside.Tensors(i), i) for i in range(inside.TensorsLength()))
    operators = tuple(_operator(schema, model, inside.Operators(i)) for i in range(inside.OperatorsLength()))
    return Graph(tensors, operators, _ints(inside.InputsAsNumpy()), _ints(inside.OutputsAsNumpy()))


def _ints(values: Any) -> tuple[int, ...]:
    return tuple(int(value) for value in values) if isinstance(values, np.ndarray) else ()


def _tensor(model: Any, tensor: Any, place: int) -> Tensor:
    shape, kind = _ints(tensor.ShapeAsNumpy()), _names("TensorType")[tensor.Type()]
    label = (tensor.Name() or b"").decode("utf-8", "replace")
    buffer = model.Buffers(tensor.Buffer())
    if not buffer.DataLength():
        return Tensor(label or f"tensor {place}", shape, kind, None)
    raw: NDArray[Any] = np.frombuffer(buffer.DataAsNumpy().tobytes(), _DTYPES[kind])
    value = _restored(raw, shape, tensor)
    return Tensor(label or f"tensor {place}", shape, kind, value)


def _restored(raw: NDArray[Any], shape: tuple[int, ...], tensor: Any) -> NDArray[Any]:
    """Return stored numbers as a dense array; sparse, half and quantised weights as float32."""
    sparsity = tensor.Sparsity()
    if sparsity is not None:
        levels = [_level(sparsity.DimMetadata(i)) for i in range(sparsity.DimMetadataLength())]
        order, blocks = _ints(sparsity.TraversalOrderAsNumpy()), _ints(sparsity.BlockMapAsNumpy())
        raw = dense(raw, shape, order, blocks, levels)
    value = raw.reshape(shape)
    if value.dtype == np.float16:
        return value.astype(np.float32)
    quantisation = tensor.Quantization()
    if quantisation is None or not quantisation.ScaleLength() or value.dtype.kind not in "iu":
        return value
    along = [1] * value.ndim
    if quantisation.ScaleLength() > 1:
        along[quantisation.QuantizedDimension()] = -1
    scale = np.asarray(quantisation.ScaleAsNumpy(), np.float32).reshape(along)
    zero = np.asarray(quantisation.ZeroPointAsNumpy(), np.int64)
    zero = zero.reshape(along) if zero.size == scale.size else np.zeros_like(scale, np.int64)
    restored: NDArray[np.float32] = ((value.astype(np.int64) - zero) * scale).astype(np.float32)
    return restored


def _level(metadata: Any) -> Level:
    if not metadata.Format():  # DENSE
        return Level(metadata.DenseSize(), None, None)
    segments = _vector(metadata.ArraySegments(), metadata.ArraySegmentsType())
    return Level(0, segments, _vector(metadata.ArrayIndices(), metadata.ArrayIndicesType()))


def _vector(table: Any, kind: int) -> NDArray[np.int64]:
    """Return an index vector of 32, 16 or 8 bits: the only field of any of its three tables."""
    flatbuffers = require("flatbuffers", extra="tflite")
    kinds = flatbuffers.number_types
    flags = {1: kinds.Int32Flags, 2: kinds.Uint16Flags, 3: kinds.Uint8Flags}[kind]
    return np.asarray(table.GetVectorAsNumpy(flags, table.Offset(4)), np.int64)


def _operator(schema: Any, model: Any, operator: Any) -> Operator:
    code = model.OperatorCodes(operator.OpcodeIndex())
    kind = _names("BuiltinOperator")[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]
    if kind == "CUSTOM":
        kind = f"CUSTOM {(code.CustomCode() or b'').decode('utf-8', 'replace')}"
    options = _options(schema, operator)
    return Operator(kind, _ints(operator.InputsAsNumpy()), _ints(operator.OutputsAsNumpy()), options)


def _options(schema: Any, operator: Any) -> dict[str, Any]:
    """Return all options that are single numbers."""
    kind, table = _names("BuiltinOptions").get(operator.BuiltinOptionsType(), ""), operator.BuiltinOptions()
    if table is None or not hasattr(schema, kind):
        return {}
    options = getattr(schema, kind)()
    options.Init(table.Bytes, table.Pos)
    names = [n for n in dir(options) if n[0].isupper() and n != "Init" and not n.startswith("GetRoot")]
    plain = [n for n in names if not n.endswith(("AsNumpy", "Length", "IsNone", "BufferHasIdentifier"))]
    return {n: getattr(options, n)() for n in plain if f"{n}Length" not in names}


@cache
def _names(enumeration: str) -> dict[int, str]:
    values = vars(getattr(require("tflite", extra="tflite"), enumeration))
    return {value: name for name, value in values.items() if isinstance(value, int)}

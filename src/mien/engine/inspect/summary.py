"""What a model holds: inputs, outputs, weights, operators."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from onnx import ModelProto, TensorProto, ValueInfoProto

from mien.engine.inspect.precision import precision
from mien.engine.validate.finding import printable
from mien.engine.validate.names import walk
from mien.engine.validate.sizes import tensor_bytes
from mien.engine.validate.tensors import tensors

Size = int | str  # a number, the name of a free size, or "?"


@dataclass(frozen=True, slots=True)
class Face:
    """An input or output; `shape` None when the model states none."""

    name: str
    dtype: str
    shape: tuple[Size, ...] | None

    def __str__(self) -> str:
        sizes = "any shape" if self.shape is None else f"({', '.join(map(str, self.shape))})"
        return f"{self.name}: {self.dtype} {sizes}"


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one element type."""

    tensors: int = 0
    elements: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model holds; `free` are the sizes that the caller chooses, with the inputs that have them.

    `operators` are counts by name, the most frequent first; those outside of ONNX with their domain.
    """

    ir_version: int
    opsets: Mapping[str, int]
    producer: str
    inputs: tuple[Face, ...]
    outputs: tuple[Face, ...]
    free: Mapping[str, tuple[str, ...]]
    nodes: int
    parameters: int
    weights: Mapping[str, Weights]
    operators: Mapping[str, int]
    precision: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON takes them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Summary:
        """Return the summary that `to_dict` wrote."""
        faces = {
            side: tuple(Face(f["name"], f["dtype"], f["shape"] and tuple(f["shape"])) for f in fields[side])
            for side in ("inputs", "outputs")
        }
        weights = {kind: Weights(**of) for kind, of in fields["weights"].items()}
        free = {name: tuple(where) for name, where in fields["free"].items()}
        rest = {"weights": weights, "free": free, "precision": tuple(fields["precision"])}
        return cls(**{**fields, **faces, **rest})


def summarise(model: ModelProto) -> Summary:
    """Return what a valid model holds; texts out of the file are made safe to print."""
    given = {tensor.name for tensor in model.graph.initializer}
    inputs = tuple(_face(info) for info in model.graph.input if info.name not in given)
    nodes = list(walk(model.graph))
    counts = Counter(_operator(node.domain, node.op_type) for node in nodes)
    weights = _weights(model)
    return Summary(
        ir_version=model.ir_version,
        opsets={printable(o.domain) or "ai.onnx": o.version for o in model.opset_import},
        producer=printable(f"{model.producer_name} {model.producer_version}".strip()),
        inputs=inputs,
        outputs=tuple(_face(info) for info in model.graph.output),
        free=_free(inputs),
        nodes=len(nodes),
        parameters=sum(of.elements for of in weights.values()),
        weights=weights,
        operators=dict(counts.most_common()),
        precision=precision(model, counts),
    )


def _operator(domain: str, op_type: str) -> str:
    return printable(op_type if domain in ("", "ai.onnx") else f"{domain}::{op_type}")


def _face(info: ValueInfoProto) -> Face:
    if not info.type.HasField("tensor_type"):
        return Face(printable(info.name), str(info.type.WhichOneof("value")).removesuffix("_type"), None)
    kind = info.type.tensor_type
    shape = tuple(_size(dim) for dim in kind.shape.dim) if kind.HasField("shape") else None
    return Face(printable(info.name), dtype_name(kind.elem_type), shape)


def _size(dim: Any) -> Size:
    return int(dim.dim_value) if dim.HasField("dim_value") else printable(dim.dim_param) or "?"


def dtype_name(data_type: int) -> str:
    """Return `float32` for ONNX's `FLOAT`, and so on."""
    name = str(TensorProto.DataType.Name(TensorProto.DataType.ValueType(data_type))).lower()
    return {"float": "float32", "double": "float64"}.get(name, name)


def _free(inputs: tuple[Face, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for face in inputs:
        for axis, size in enumerate(face.shape or ()):
            if isinstance(size, str):
                found.setdefault(size, []).append(f"{face.name}[{axis}]")
    return {name: tuple(where) for name, where in found.items()}


def _weights(model: ModelProto) -> dict[str, Weights]:
    found: dict[str, Weights] = {}
    for tensor in tensors(model):
        kind = dtype_name(tensor.data_type)
        so_far = found.get(kind, Weights())
        size = math.prod(tensor.dims)
        found[kind] = Weights(so_far.tensors + 1, so_far.elements + size, so_far.bytes + tensor_bytes(tensor))
    return dict(sorted(found.items(), key=lambda item: -item[1].bytes))

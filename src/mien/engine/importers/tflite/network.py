"""An ONNX graph in the making: tensors of four axes are held channels first, all others as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from mien.engine.importers.tflite.reader import Graph, Operator, Tensor
from mien.errors import InputError

FIRST: Final = (0, 3, 1, 2)  # channels last → first
LAST: Final = (0, 2, 3, 1)
_OPSET: Final = 17
_TYPES: Final = {"FLOAT32": TensorProto.FLOAT, "FLOAT16": TensorProto.FLOAT, "INT32": TensorProto.INT32,
                 "INT64": TensorProto.INT64, "BOOL": TensorProto.BOOL}  # fmt: skip


class Network:
    """Collects nodes and constants; `held` gives a tensor's name as it is kept here."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._nodes: list[NodeProto] = []
        self._constants: dict[str, NDArray[Any]] = {}
        self._outside = _unique(graph.tensors)
        self._names = [
            f"{name} (channels first)" if len(tensor.shape) == 4 else name
            for name, tensor in zip(self._outside, graph.tensors, strict=True)
        ]
        self._values: dict[int, NDArray[Any]] = {
            place: tensor.value for place, tensor in enumerate(graph.tensors) if tensor.value is not None
        }
        self._plain: set[int] = set()  # tensors of four axes that are there as in the file, too
        for place in graph.inputs:
            self._enter(place)

    def shape(self, place: int) -> tuple[int, ...]:
        """Return a tensor's shape as the file states it, channels last."""
        return self.graph.tensors[place].shape

    def value(self, place: int) -> NDArray[Any] | None:
        """Return a constant's value, None for anything else."""
        return self._values.get(place)

    def fixed(self, operator: Operator, number: int) -> NDArray[Any]:
        """Return an input that must be constant; raises `InputError` for one that is computed."""
        place = operator.inputs[number] if number < len(operator.inputs) else -1
        if place not in self._values:
            raise InputError(f"input {number} of {operator.kind} is computed; mien needs it as a constant")
        return self._values[place]

    def keep(self, place: int, value: NDArray[Any]) -> None:
        """Note that a tensor turned out to be constant."""
        self._values[place] = value

    def constant(self, value: NDArray[Any], hint: str) -> str:
        """Store a constant and return its name."""
        name = f"{hint} #{len(self._constants)}"
        self._constants[name] = value
        return name

    def held(self, place: int) -> str:
        """Return a tensor's name as it is kept: channels first when it has four axes."""
        if (value := self.value(place)) is None:
            return self._names[place]
        if value.ndim == 4:
            value = np.ascontiguousarray(value.transpose(FIRST))
        return self.constant(value, self._names[place])

    def beside(self, place: int, axes: int) -> str:
        """Return an operand of a tensor with so many axes: a constant with fewer is lined up with it."""
        value = self.value(place)
        if value is None or axes != 4 or value.ndim == 4:
            if value is None and 0 < len(self.shape(place)) < axes == 4:
                raise InputError("operands with four and with fewer axes, both computed, are not read")
            return self.held(place)
        lined = value.reshape((1,) * (4 - value.ndim) + value.shape).transpose(FIRST)
        return self.constant(np.ascontiguousarray(lined), self._names[place])

    def plain(self, place: int) -> str:
        """Return a tensor's name with its axes as in the file."""
        value = self.value(place)
        if value is not None:
            return self.constant(value, self._names[place])
        if len(self.shape(place)) == 4 and place not in self._plain:
            self._plain.add(place)
            self._node("Transpose", [self._names[place]], [self._outside[place]], perm=LAST)
        return self._outside[place]

    def emit(self, kind: str, inputs: Sequence[str], place: int, **attributes: Any) -> None:
        """Add a node whose result is tensor `place` as it is kept."""
        self._node(kind, inputs, [self._names[place]], **attributes)

    def inner(self, kind: str, inputs: Sequence[str], hint: str, **attributes: Any) -> str:
        """Add a node with a result that the file does not have; return its name."""
        name = f"{hint} /{len(self._nodes)}"
        self._node(kind, inputs, [name], **attributes)
        return name

    def emit_plain(self, kind: str, inputs: Sequence[str], place: int, **attributes: Any) -> None:
        """Add a node whose result has the axes of the file; it is turned when it has four."""
        self._node(kind, inputs, [self._outside[place]], **attributes)
        if len(self.shape(place)) == 4:
            self._enter(place)

    def model(self) -> ModelProto:
        """Return the model; inputs and outputs have the file's names and axes."""
        for place in self.graph.outputs:
            self.plain(place)
        inputs, outputs = (
            [self._info(place) for place in side] for side in (self.graph.inputs, self.graph.outputs)
        )
        held = [numpy_helper.from_array(value, name) for name, value in self._constants.items()]
        made = helper.make_graph(self._nodes, "tflite", inputs, outputs, held)
        model = helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
        model.producer_name = "mien"
        return model

    def _enter(self, place: int) -> None:
        """Turn a tensor of four axes that is there as in the file."""
        if len(self.shape(place)) == 4:
            self._plain.add(place)
            self._node("Transpose", [self._outside[place]], [self._names[place]], perm=FIRST)

    def _info(self, place: int) -> ValueInfoProto:
        tensor = self.graph.tensors[place]
        if tensor.dtype not in _TYPES:
            raise InputError(
                f"{tensor.name!r} is {tensor.dtype}: mien reads TFLite models with float inputs and outputs"
            )
        return helper.make_tensor_value_info(self._outside[place], _TYPES[tensor.dtype], tensor.shape)

    def _node(self, kind: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Any) -> None:
        self._nodes.append(helper.make_node(kind, inputs, outputs, outputs[0], **attributes))


def _unique(tensors: Sequence[Tensor]) -> list[str]:
    """Return a name of its own for each tensor."""
    seen: dict[str, int] = {}
    names = []
    for tensor in tensors:
        seen[tensor.name] = seen.get(tensor.name, 0) + 1
        number = seen[tensor.name]
        names.append(tensor.name if number == 1 else f"{tensor.name} ({number})")
    return names

"""A dynamically quantised model back to float: an ordinary graph that every backend can run.

ONNX Runtime's `quantize_dynamic` turns `MatMul(x, W)` into
`DynamicQuantizeLinear → MatMulInteger → Cast → Mul(scale of x · scale of W)`, a convolution likewise,
and an LSTM into `DynamicQuantizeLSTM`. The float weight is `(Wq - zero point) · scale`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from mien.engine.graph import constants, consumers, producers, prune
from mien.errors import InputError

_FLOAT_OP = {"MatMulInteger": "MatMul", "ConvInteger": "Conv"}
_DYNAMIC = {*_FLOAT_OP, "DynamicQuantizeLSTM"}


def is_dynamic(model: ModelProto) -> bool:
    """Whether any node computes on integers that were quantised at run time."""
    return any(node.op_type in _DYNAMIC for node in model.graph.node)


def dequantise(model: ModelProto) -> ModelProto:
    """Return `model` with its dynamically quantised nodes in float; shared weights are stored once.

    Raises `InputError` naming the node when its scales or weights are not constants in the usual form.
    """
    return _Dequantiser(model).run()


class _Dequantiser:
    def __init__(self, model: ModelProto) -> None:
        self._model = model
        self._producers = producers(model)
        self._consumers = consumers(model)
        self._constants = constants(model)
        self._weights: dict[str, TensorProto] = {}

    def run(self) -> ModelProto:
        replaced: dict[str, NodeProto] = {}
        for node in self._model.graph.node:
            if node.op_type in _FLOAT_OP:
                made = self._linear(node)
                replaced[made.output[0]] = made
            elif node.op_type == "DynamicQuantizeLSTM":
                replaced[node.output[0]] = self._lstm(node)
        nodes = [
            next((replaced[name] for name in node.output if name in replaced), node)
            for node in self._model.graph.node
        ]
        changed = ModelProto()
        changed.CopyFrom(self._model)
        del changed.graph.node[:]
        changed.graph.node.extend(nodes)
        changed.graph.initializer.extend(self._weights.values())
        return _own_domains(prune(changed))

    def _linear(self, node: NodeProto) -> NodeProto:
        """Return the float node whose output is that of the `Mul` behind `node`."""
        quantised = self._producers.get(node.input[0])
        if quantised is None or quantised.op_type != "DynamicQuantizeLinear":
            raise _unusual(node, "its input is not quantised dynamically")
        cast, bias = self._integer_tail(node)
        mul = self._only_consumer(cast, "Mul")
        factor = next(name for name in mul.input if name != cast.output[0])
        scale = next((n for n in self._inputs_of(factor) if n != quantised.output[1]), "")
        axis = 0 if node.op_type == "ConvInteger" else -1
        zero = node.input[3] if len(node.input) > 3 else ""
        weight = self._weight(node, node.input[1], scale, zero, axis)
        return helper.make_node(
            _FLOAT_OP[node.op_type],
            [quantised.input[0], weight, *bias],
            [mul.output[0]],
            node.name,
            **{a.name: helper.get_attribute_value(a) for a in node.attribute},
        )

    def _integer_tail(self, node: NodeProto) -> tuple[NodeProto, list[str]]:
        """Return the `Cast` to float behind `node` and the bias that is added before it, if any.

        A convolution's bias is quantised at run time: `Reshape(Cast(Floor(bias / scale)))`.
        """
        after = self._consumers.get(node.output[0], [])
        if len(after) != 1 or after[0].op_type != "Add":
            return self._only_consumer(node, "Cast"), []
        name = next(n for n in after[0].input if n != node.output[0])
        while name in self._producers and name not in self._constants:
            name = self._producers[name].input[0]
        self._value(node, name)
        return self._only_consumer(after[0], "Cast"), [name]

    def _only_consumer(self, node: NodeProto, op_type: str) -> NodeProto:
        after = self._consumers.get(node.output[0], [])
        if len(after) != 1 or after[0].op_type != op_type:
            raise _unusual(node, f"its output does not go to one {op_type}")
        return after[0]

    def _inputs_of(self, tensor: str) -> list[str]:
        return list(self._producers[tensor].input) if tensor in self._producers else []

    def _lstm(self, node: NodeProto) -> NodeProto:
        """Return the float LSTM; its weights are `(directions, 4h, inputs)`, the quantised are transposed."""
        names = [*node.input, *[""] * (12 - len(node.input))]
        weight = self._weight(node, names[1], names[8], names[9], -1, transpose=True)
        recurrence = self._weight(node, names[2], names[10], names[11], -1, transpose=True)
        return helper.make_node(
            "LSTM",
            [names[0], weight, recurrence, *names[3:8]],
            list(node.output),
            node.name,
            **{a.name: helper.get_attribute_value(a) for a in node.attribute},
        )

    def _weight(
        self, node: NodeProto, name: str, scale: str, zero: str, axis: int, *, transpose: bool = False
    ) -> str:
        """Store the float form of a weight once; return its name."""
        made = f"{name}/float"
        if made not in self._weights:
            value = self._value(node, name).astype(np.float32)
            factor = _along(self._value(node, scale).astype(np.float32), value.ndim, axis)
            if zero:
                value -= _along(self._value(node, zero).astype(np.float32), value.ndim, axis)
            value = value * factor
            value = np.ascontiguousarray(value.swapaxes(-1, -2)) if transpose else value
            self._weights[made] = numpy_helper.from_array(value, made)
        return made

    def _value(self, node: NodeProto, name: str) -> NDArray[np.generic]:
        if name not in self._constants:
            raise _unusual(node, f"{name or 'its scale'!r} is not a constant")
        return numpy_helper.to_array(self._constants[name])


def _along(values: NDArray[np.float32], ndim: int, axis: int) -> NDArray[np.float32]:
    """Shape per-tensor `()`, per-channel `(c,)` or per-direction `(d, c)` values to broadcast on a weight."""
    if values.size == 1:
        return values.reshape(())
    if values.ndim == 1 and axis == 0:
        return values.reshape(-1, *[1] * (ndim - 1))
    if values.ndim == 2 and ndim == 3:
        return values[:, None, :]
    return values if values.ndim == 1 and values.size > 2 else values.reshape(-1, *[1] * (ndim - 1))


def _own_domains(model: ModelProto) -> ModelProto:
    """Keep only the operator sets that some node uses."""
    used = {node.domain for node in model.graph.node} | {""}
    kept = [opset for opset in model.opset_import if opset.domain in used]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    return model


def _unusual(node: NodeProto, why: str) -> InputError:
    return InputError(f"can not dequantise node {node.name!r} ({node.op_type}): {why}")

"""Convolutions over time as 2-D ones, `(n, c, t)` → `(n, c, 1, t)`.

ONNX Runtime computes only 2-D convolutions in its blocked layout; the numbers stay the same and a
vocoder takes about a seventh less time on one thread. The blocked layout divides a line among threads by its
output channels alone, 32 to a thread: a narrower convolution keeps the others waiting, and stays 1-D. So does
one to less than a block of channels, which would be filled up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from mien.engine.graph import constants, prune

_AXIS = "widen/axis"
CHANNELS = 32  # of an output that one thread computes at once: four blocks
_BLOCK = 8
_CONVOLUTIONS = {"Conv", "ConvTranspose"}
_UNARY = {"LeakyRelu", "Relu", "Tanh", "Sigmoid", "Sin", "Identity"}
_BINARY = {"Add", "Sub", "Mul", "Div"}


def widen(model: ModelProto, threads: int = 1, also: Collection[str] = ()) -> ModelProto:
    """Return `model` with each 1-D convolution of constant weights in 2-D, and what is between them too.

    Those too narrow for `threads` threads are left, except where the output is one of `also`.
    """
    return _Widener(model, threads, also).run()


class _Widener:
    def __init__(self, model: ModelProto, threads: int, also: Collection[str]) -> None:
        self._model = model
        self._narrow, self._also = CHANNELS * threads if threads > 1 else 0, also
        self._known = constants(model)
        self._wide: dict[str, str] = {}  # tensor → the same tensor with the further axis
        self._weights: dict[str, str] = {}

    def run(self) -> ModelProto:
        made = ModelProto()
        made.CopyFrom(self._model)
        nodes = [new for node in self._model.graph.node for new in self._rewritten(node)]
        del made.graph.node[:]
        made.graph.node.extend(nodes)
        for name, wide in self._weights.items():
            value = numpy_helper.to_array(self._known[name])
            made.graph.initializer.append(numpy_helper.from_array(np.expand_dims(value, 2), wide))
        if nodes:
            made.graph.initializer.append(numpy_helper.from_array(np.array([2], np.int64), _AXIS))
        return prune(made)

    def _rewritten(self, node: NodeProto) -> Iterator[NodeProto]:
        if node.op_type in _CONVOLUTIONS and self._is_line(node):
            yield from self._convolution(node)
        elif self._is_between(node):
            yield from self._widened(node, [self._wide.get(name, name) for name in node.input])
        else:
            yield node

    def _convolution(self, node: NodeProto) -> Iterator[NodeProto]:
        given = node.input[0]
        if given not in self._wide:
            self._wide[given] = f"{given}/2d"
            yield helper.make_node("Unsqueeze", [given, _AXIS], [self._wide[given]])
        weight = self._weights.setdefault(node.input[1], f"{node.input[1]}/2d")
        yield from self._widened(node, [self._wide[given], weight, *node.input[2:]])

    def _widened(self, node: NodeProto, inputs: list[str]) -> Iterator[NodeProto]:
        """Yield the 2-D node, and the way back for whoever reads the plain tensor."""
        out = node.output[0]
        self._wide[out] = f"{out}/2d"
        yield helper.make_node(node.op_type, inputs, [self._wide[out]], node.name, **_attributes(node))
        yield helper.make_node("Squeeze", [self._wide[out], _AXIS], [out])

    def _is_line(self, node: NodeProto) -> bool:
        weight = self._known.get(node.input[1])
        if weight is None or len(weight.dims) != 3:
            return False
        if node.op_type != "Conv":  # a transposed one is not blocked
            return True
        least = _BLOCK if node.output[0] in self._also else max(_BLOCK, self._narrow)
        return bool(weight.dims[0] >= least)

    def _is_between(self, node: NodeProto) -> bool:
        """Whether a node computes each number by itself from 2-D tensors, and scalars at most."""
        if node.op_type in _UNARY:
            return node.input[0] in self._wide
        return node.op_type in _BINARY and all(
            name in self._wide or (name in self._known and not self._known[name].dims) for name in node.input
        )


def _attributes(node: NodeProto) -> dict[str, Any]:
    values = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    if node.op_type not in _CONVOLUTIONS:
        return values
    for name in ("strides", "dilations", "kernel_shape"):
        if name in values:
            values[name] = [1, *values[name]]
    if "output_padding" in values:
        values["output_padding"] = [0, *values["output_padding"]]
    if "pads" in values:
        before, after = values["pads"]
        values["pads"] = [0, before, 0, after]
    return values

"""A layer's normalisation written out in nine nodes becomes one `LayerNormalization`.

`y = (x - mean(x)) / sqrt(mean((x - mean(x))²) + e) · s + t` over the last axis (Ba, Kiros and Hinton, 2016,
equation 3), as exporters write it before operator set 17.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED, WHOLE
from mien.engine.passes.dead import sweep

_SINCE: Final = 17
_LIFTED: Final = (15, 16)  # between them and 17 no operator has changed its meaning


def layer_norms(model: ModelProto) -> Outcome:
    """Return `model` with each written-out normalisation over the last axis as one node."""
    if edit.opset(model) < _LIFTED[0]:
        return Outcome(model, changed=False, note=tell("", 0))
    made = edit.copied(model)
    found = _Finder(made).all()
    if not found:
        return Outcome(model, changed=False, note=tell("", 0))
    nodes = [found.get(node.output[0], node) if node.output else node for node in made.graph.node]
    edit.keep_nodes(made.graph, nodes)
    sweep(made.graph)
    for stated in made.opset_import:
        if stated.domain in ("", "ai.onnx"):
            stated.version = max(stated.version, _SINCE)
    return Outcome(made, changed=True, note=tell("layer normalisations joined", len(found)))


class _Finder:
    def __init__(self, model: ModelProto) -> None:
        self._model = model
        self._known = edit.known(model)
        self._uses = edit.uses(model.graph)
        self._makers = {node.output[0]: node for node in model.graph.node if node.output}

    def all(self) -> dict[str, NodeProto]:
        """Return what replaces a node, by the node's output."""
        made = {}
        for node in self._model.graph.node:
            if edit.is_standard(node, "Add") and (new := self._joined(node)) is not None:
                made[node.output[0]] = new
        return made

    def _joined(self, last: NodeProto) -> NodeProto | None:
        shift, product = self._split(last, "Mul")
        scale, quotient = self._split(product, "Div")
        if shift is None or scale is None or quotient is None:
            return None
        centred, root = (self._maker(quotient, i) for i in (0, 1))
        epsilon, mean = self._split(self._maker(root, 0, "Sqrt"), "ReduceMean", "Add")
        square = self._maker(mean, 0) if self._is_mean(mean) else None
        if not self._is_square(square, quotient.input[0]) or not edit.is_standard(centred or last, "Sub"):
            return None
        given = centred.input[0] if centred is not None else ""
        average = self._maker(centred, 1)
        if not self._is_mean(average) or average is None or average.input[0] != given or epsilon is None:
            return None
        if not self._fit(scale, shift) or numpy_helper.to_array(self._known[epsilon]).size != 1:
            return None
        value = float(numpy_helper.to_array(self._known[epsilon]).reshape(()))
        inputs = [given, scale, shift]
        return helper.make_node(
            "LayerNormalization", inputs, list(last.output), last.name, axis=-1, epsilon=value
        )

    def _maker(self, node: NodeProto | None, place: int, kind: str = "") -> NodeProto | None:
        """Return the node behind an input; with `kind`, only when `node` is of it."""
        if node is None or place >= len(node.input) or (kind and node.op_type != kind):
            return None
        return self._makers.get(node.input[place])

    def _split(self, node: NodeProto | None, kind: str, of: str = "") -> tuple[str | None, NodeProto | None]:
        """Return the constant and the inner node, of type `kind` and read once, of a sum or product."""
        if node is None or len(node.input) != 2 or (of and node.op_type != of):
            return None, None
        for constant, inner in (node.input, reversed(node.input)):
            maker = self._makers.get(inner)
            is_inner = maker is not None and edit.is_standard(maker, kind) and self._uses[inner] == 1
            if constant in self._known and is_inner:
                return constant, maker
        return None, None

    def _is_square(self, node: NodeProto | None, centred: str) -> bool:
        if node is None or node.input[0] != centred:
            return False
        if edit.is_standard(node, "Mul"):
            return bool(node.input[1] == centred)
        power = self._known.get(node.input[1]) if edit.is_standard(node, "Pow") else None
        return power is not None and bool(np.all(numpy_helper.to_array(power) == 2))

    def _is_mean(self, node: NodeProto | None) -> bool:
        """Whether a node is the mean over the last axis, which stays with size 1."""
        if node is None or not edit.is_standard(node, "ReduceMean"):
            return False
        values = edit.attributes(node)
        axes = values.get("axes")
        if len(node.input) > 1 and node.input[1] in self._known:
            axes = numpy_helper.to_array(self._known[node.input[1]]).tolist()
        return axes == [-1] and values.get("keepdims", 1) == 1

    def _fit(self, scale: str, shift: str) -> bool:
        """Whether scale and shift are float vectors of one size."""
        one, other = self._known[scale], self._known[shift]
        return (
            len(one.dims) == 1 and list(one.dims) == list(other.dims) and one.data_type == TensorProto.FLOAT
        )


LAYERNORM = FunctionPass("join-layer-norms", layer_norms, requires=(WELLFORMED, WHOLE), ensures=(WELLFORMED,))

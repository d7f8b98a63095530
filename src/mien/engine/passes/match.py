"""What passes look for in a graph: who makes a tensor, who reads it, and which part of it is constant."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, numpy_helper

from mien.engine.passes import edit


class Match:
    """A model's nodes by what they make; its answers hold as long as the model is not edited."""

    def __init__(self, model: ModelProto) -> None:
        self.model = model
        self.known = edit.known(model)
        self.uses = edit.uses(model.graph)
        self._makers = {out: node for node in model.graph.node for out in node.output if out}

    def made(self, name: str, kind: str) -> NodeProto | None:
        """Return the node of type `kind` that makes a tensor."""
        node = self._makers.get(name)
        return node if node is not None and edit.is_standard(node, kind) else None

    def alone(self, name: str, kind: str) -> NodeProto | None:
        """Return the node of type `kind` that makes a tensor which is read once."""
        return self.made(name, kind) if self.uses[name] == 1 else None

    def value(self, name: str) -> NDArray[Any] | None:
        """Return a constant's value."""
        return numpy_helper.to_array(self.known[name]) if name in self.known else None

    def scalar(self, name: str) -> float | None:
        """Return the value of a constant of one number."""
        value = self.value(name)
        return float(value.reshape(())) if value is not None and value.size == 1 else None

    def with_constant(self, node: NodeProto) -> tuple[str, str] | None:
        """Return the constant and the other input of a node of two."""
        if len(node.input) != 2:
            return None
        one, other = node.input
        if one in self.known and other not in self.known:
            return one, other
        return (other, one) if other in self.known and one not in self.known else None

    def axes(self, node: NodeProto) -> list[int] | None:
        """Return a reduction's axes, from its attribute or its constant second input."""
        if len(node.input) > 1 and node.input[1]:
            value = self.value(node.input[1])
            return None if value is None else np.asarray(value, int).reshape(-1).tolist()
        axes = edit.attributes(node).get("axes")
        return None if axes is None else list(axes)

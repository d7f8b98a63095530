"""Conditions that several passes state."""

from __future__ import annotations

from collections.abc import Callable

import onnx
from onnx import ModelProto, NodeProto

from mien.engine.passes.base import Condition
from mien.engine.validate.names import check_names, label, walk


def _wellformed(model: ModelProto) -> str:
    wrong = next((finding for finding in check_names(model) if finding.severity == "error"), None)
    return wrong.message if wrong else ""


def _whole(model: ModelProto) -> str:
    outside = [t.name for t in model.graph.initializer if t.data_location == onnx.TensorProto.EXTERNAL]
    return f"weights are still outside the model: {outside[0]!r}" if outside else ""


# Each tensor is made once, before it is read, and every output is made.
WELLFORMED = Condition("well-formed", _wellformed)
# All weights are in memory.
WHOLE = Condition("weights in memory", _whole)


def none(what: str, found: Callable[[NodeProto], bool]) -> Condition:
    """Return the condition that no node, in inner graphs neither, is of a kind."""

    def check(model: ModelProto) -> str:
        node = next((node for node in walk(model.graph) if found(node)), None)
        return f"{what} is left: {label(node)}" if node is not None else ""

    return Condition(f"no {what}", check)

"""`Transpose` after `Transpose` is one, or none."""

from __future__ import annotations

from onnx import ModelProto, NodeProto, helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED
from mien.engine.passes.dead import sweep


def transposes(model: ModelProto) -> Outcome:
    """Return `model` where each `Transpose` starts from what the one before it started from."""
    made = edit.copied(model)
    makers = {node.output[0]: node for node in made.graph.node if _order(node)}
    joined = 0
    for node in made.graph.node:
        first = makers.get(node.input[0]) if _order(node) else None
        if first is not None and len(_order(first)) == len(_order(node)):
            _join(first, node)
            joined += 1
    gone = edit.bypass(made, lambda node: _order(node) == list(range(len(_order(node)))) != [])
    if joined:
        sweep(made.graph)
    removed = len(model.graph.node) - len(made.graph.node)
    what = tell("transposes removed", removed) if removed else tell("transposes joined", joined)
    return Outcome(made, bool(joined or gone), what)


def _order(node: NodeProto) -> list[int]:
    """Return the axes of a `Transpose` that states them, else `[]`."""
    if not edit.is_standard(node, "Transpose"):
        return []
    return [axis for a in node.attribute if a.name == "perm" for axis in helper.get_attribute_value(a)]


def _join(first: NodeProto, second: NodeProto) -> None:
    before, after = _order(first), _order(second)
    del second.attribute[:]
    second.attribute.append(helper.make_attribute("perm", [before[axis] for axis in after]))
    second.input[0] = first.input[0]


TRANSPOSES = FunctionPass("cancel-transposes", transposes, requires=(WELLFORMED,), ensures=(WELLFORMED,))

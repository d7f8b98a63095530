"""`If` with a constant condition becomes the branch that is taken."""

from __future__ import annotations

from onnx import ModelProto, NodeProto, TensorProto, numpy_helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED
from mien.engine.passes.inline import identity, inline
from mien.engine.validate.names import label

_ROUNDS = 16  # of If inside If


def static_if(model: ModelProto) -> Outcome:
    """Return `model` without any `If` of the main graph whose condition is constant."""
    made, count = edit.copied(model), 0
    for _ in range(_ROUNDS):
        if not (found := _round(made)):
            break
        count += found
    left = [n for n in made.graph.node if edit.is_standard(n, "If")]
    refusals = [f"{label(node)} (its condition depends on the inputs)" for node in left]
    return Outcome(made, bool(count), tell("branches chosen", count, refusals))


def _round(model: ModelProto) -> int:
    known = edit.known(model)
    nodes: list[NodeProto] = []
    weights: list[TensorProto] = []
    count = 0
    for node in model.graph.node:
        if not edit.is_standard(node, "If") or node.input[0] not in known:
            nodes.append(node)
            continue
        taken = bool(numpy_helper.to_array(known[node.input[0]]).reshape(-1)[0])
        branch = edit.attributes(node)["then_branch" if taken else "else_branch"]
        part = inline(branch, f"{node.name or node.output[0]}/{'then' if taken else 'else'}")
        nodes += part.nodes
        nodes += [identity(made, out) for made, out in zip(part.outputs, node.output, strict=True) if out]
        weights += part.weights
        count += 1
    edit.keep_nodes(model.graph, nodes)
    model.graph.initializer.extend(weights)
    return count


STATIC_IF = FunctionPass("static-if", static_if, (WELLFORMED,), (WELLFORMED,))

"""What no output needs goes: nodes, weights, and nodes that only pass a tensor on."""

from __future__ import annotations

from onnx import GraphProto, ModelProto, NodeProto

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED
from mien.engine.validate.names import subgraphs


def dead(model: ModelProto) -> Outcome:
    """Return `model` without `Identity`, without what no output needs and without unused operator sets."""
    made = edit.copied(model)
    before = len(made.graph.node), len(made.graph.initializer)
    edit.bypass(made, lambda node: edit.is_standard(node, "Identity") and len(node.input) == 1)
    sweep(made.graph)
    nodes = before[0] - len(made.graph.node)
    weights = before[1] - len(made.graph.initializer)
    notes = [tell("nodes removed", nodes)] * bool(nodes) + [tell("weights removed", weights)] * bool(weights)
    return Outcome(made, bool(notes), "; ".join(notes) or "nothing to do")


def sweep(graph: GraphProto) -> None:
    """Remove from a graph, in place, the nodes and weights that no output needs."""
    needed = {info.name for info in graph.output}
    kept: list[NodeProto] = []
    for node in reversed(graph.node):
        if any(name in needed for name in node.output if name):
            kept.append(node)
            needed |= set(node.input)
            for inner in subgraphs(node):
                needed |= set(edit.uses(inner))
    gone = {name for node in graph.node for name in node.output} - needed
    edit.keep_nodes(graph, reversed(kept))
    needed |= {info.name for info in graph.input}
    weights = [tensor for tensor in graph.initializer if tensor.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(weights)
    edit.forget(graph, gone)


DEAD = FunctionPass("dead-nodes", dead, requires=(WELLFORMED,), ensures=(WELLFORMED,))

"""An inner graph becomes part of the graph around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onnx import GraphProto, NodeProto, TensorProto, helper

from mien.engine.validate.names import subgraphs


@dataclass(slots=True)
class Inlined:
    """The nodes and weights of an inner graph under their new names, and its outputs' new names."""

    nodes: list[NodeProto] = field(default_factory=list)
    weights: list[TensorProto] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)


def inline(graph: GraphProto, prefix: str, inputs: Sequence[str] = ()) -> Inlined:
    """Return the contents of `graph` with `prefix` before every name that it makes.

    `inputs` are the outer tensors that take the place of the graph's inputs, in order.
    """
    names = dict(zip((info.name for info in graph.input), inputs, strict=True))
    made = [t.name for t in graph.initializer] + [n for node in graph.node for n in node.output if n]
    names |= {name: f"{prefix}/{name}" for name in made}
    result = Inlined(outputs=[names.get(info.name, info.name) for info in graph.output])
    for tensor in graph.initializer:
        kept = TensorProto()
        kept.CopyFrom(tensor)
        kept.name = names[tensor.name]
        result.weights.append(kept)
    for node in graph.node:
        moved = NodeProto()
        moved.CopyFrom(node)
        moved.name = f"{prefix}/{node.name}" if node.name else ""
        _move(moved, names)
        result.nodes.append(moved)
    return result


def _move(node: NodeProto, names: Mapping[str, str]) -> None:
    """Rename all that a node, and the graphs inside it, read and make by `names`."""
    node.input[:] = [names.get(name, name) for name in node.input]
    node.output[:] = [names.get(name, name) for name in node.output]
    for inner in subgraphs(node):
        own = {info.name for info in inner.input} | {tensor.name for tensor in inner.initializer}
        own |= {name for child in inner.node for name in child.output}
        outer = {old: new for old, new in names.items() if old not in own}
        for child in inner.node:
            _move(child, outer)
        for info in inner.output:
            info.name = outer.get(info.name, info.name)


def identity(source: str, target: str) -> NodeProto:
    """Return the node that gives a tensor another name."""
    return helper.make_node("Identity", [source], [target])

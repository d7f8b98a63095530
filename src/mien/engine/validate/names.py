"""Names and order: every tensor is made once, before it is read, and nothing goes round in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Set
from graphlib import CycleError, TopologicalSorter

from onnx import GraphProto, ModelProto, NodeProto

from mien.engine.validate.finding import Finding, error, warning


def check_names(model: ModelProto) -> Iterator[Finding]:
    """Yield what is wrong with the names in the main graph and the graphs inside it."""
    yield from check_graph(model.graph, frozenset(), "")


def subgraphs(node: NodeProto) -> Iterator[GraphProto]:
    """Yield the graphs that a node (`If`, `Loop`, `Scan`) holds."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def walk(graph: GraphProto) -> Iterator[NodeProto]:
    """Yield the nodes of a graph and of the graphs inside it."""
    for node in graph.node:
        yield node
        for inner in subgraphs(node):
            yield from walk(inner)


def label(node: NodeProto) -> str:
    """Return what to call a node: its name, else its operator and first output: `Mul(h)`."""
    return node.name or f"{node.op_type}({next(iter(node.output), '')})"


def check_graph(graph: GraphProto, outer: Set[str], where: str) -> Iterator[Finding]:
    """Yield what is wrong in a graph that sees the tensors `outer`; `where` names what holds it."""
    given = _given(graph)
    made = {name for node in graph.node for name in node.output if name}
    yield from _check_empty(graph, where)
    yield from _check_twice(graph, outer, given)
    yield from _check_reads(graph, outer | given | made, where)
    yield from _check_order(graph)
    yield from _check_node_names(graph)
    for node in graph.node:
        for inner in subgraphs(node):
            yield from check_graph(inner, outer | given | made, label(node))


def _given(graph: GraphProto) -> set[str]:
    """Return the tensors that are there before any node runs."""
    names = {info.name for info in graph.input} | {tensor.name for tensor in graph.initializer}
    return names | {sparse.values.name for sparse in graph.sparse_initializer}


def _check_empty(graph: GraphProto, where: str) -> Iterator[Finding]:
    if not graph.output:
        at = f"the graph inside {where}" if where else "the model"
        yield error("no-outputs", f"{at} has no outputs", "name the outputs when exporting", where)


def _check_twice(graph: GraphProto, outer: Set[str], given: Set[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    for info in graph.input:
        if info.name in seen:
            yield _twice(info.name, "two inputs have this name")
        seen.add(info.name)
    for node in graph.node:
        for name in node.output:
            if name and (name in seen or name in given):
                yield _twice(name, f"made again by node {label(node)!r}")
            elif name in outer and name:
                yield _twice(name, f"node {label(node)!r} hides the outer tensor of this name")
            seen.add(name)


def _twice(name: str, why: str) -> Finding:
    return error("duplicate-name", f"tensor {name!r}: {why}", "give each tensor its own name", name)


def _check_reads(graph: GraphProto, known: Set[str], where: str) -> Iterator[Finding]:
    for node in graph.node:
        for name in node.input:
            if name and name not in known:
                message = f"{node.op_type} reads {name!r}, which nothing makes"
                yield error("missing-input", message, "export the model whole, or add the input", label(node))
    for info in graph.output:
        if info.name not in known:
            message = f"output {info.name!r} is made by no node"
            yield error("missing-output", message, "export the model whole, or drop the output", where)


def _check_order(graph: GraphProto) -> Iterator[Finding]:
    """Yield the first circle, or the first node that stands before what it reads."""
    makers = {name: i for i, node in enumerate(graph.node) for name in node.output if name}
    needs = {i: {makers[n] for n in _reads(node) if n in makers} for i, node in enumerate(graph.node)}
    late = [i for i, before in needs.items() if any(j >= i for j in before)]
    if not late:
        return
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as circle:
        names = [label(graph.node[i]) for i in circle.args[1]]
        path = " -> ".join(reversed(names[:8]))
        remedy = "a graph has no feedback: use Loop or Scan, or carry the state as input and output"
        yield error("cycle", f"the nodes feed each other in a circle: {path}", remedy, names[0])
    else:
        message = f"{len(late)} nodes stand before what they read"
        remedy = "sort the nodes topologically (onnx-ir: TopologicalSortPass)"
        yield error("unsorted", message, remedy, label(graph.node[late[0]]))


def _reads(node: NodeProto) -> set[str]:
    """Return the tensors that a node reads, those of its inner graphs too."""
    names = set(node.input) - {""}
    for inner in subgraphs(node):
        own = _given(inner) | {name for child in inner.node for name in child.output}
        read = {info.name for info in inner.output}
        for child in inner.node:
            read |= _reads(child)
        names |= read - own
    return names


def _check_node_names(graph: GraphProto) -> Iterator[Finding]:
    seen: set[str] = set()
    for node in graph.node:
        if node.name and node.name in seen:
            message = f"two nodes are named {node.name!r}"
            yield warning("duplicate-node", message, "reports that name a node may mean either", node.name)
        seen.add(node.name)

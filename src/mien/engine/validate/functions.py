"""The model's own functions: sound inside, and none that calls itself."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from onnx import FunctionProto, GraphProto, ModelProto

from mien.engine.validate.finding import Finding, error
from mien.engine.validate.names import check_graph, walk


def check_functions(model: ModelProto) -> Iterator[Finding]:
    """Yield what is wrong inside functions; one that calls itself would be inlined without end."""
    bodies = {(f.domain, f.name): _body(f) for f in model.functions}
    for body in bodies.values():
        yield from check_graph(body, frozenset(), body.name)
    calls = {key: {(n.domain, n.op_type) for n in walk(body)} & bodies.keys() for key, body in bodies.items()}
    try:
        TopologicalSorter(calls).prepare()
    except CycleError as circle:
        path = " -> ".join(name for _, name in reversed(circle.args[1][:8]))
        message = f"functions call each other in a circle: {path}"
        yield error("recursion", message, "use Loop for repetition", circle.args[1][0][1])


def _body(function: FunctionProto) -> GraphProto:
    """Return a function as a graph without types."""
    body = GraphProto(name=function.name)
    body.node.extend(function.node)
    for name in function.input:
        body.input.add(name=name)
    for name in function.output:
        body.output.add(name=name)
    return body

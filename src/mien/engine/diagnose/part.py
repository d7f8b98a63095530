"""A part of a model as a model of its own: some of its nodes, what they read as inputs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from mien.engine import graph

Infos = Mapping[str, ValueInfoProto]


def part(model: ModelProto, places: Collection[int], infos: Infos) -> ModelProto | None:
    """Return the nodes at `places` as a model, or None when the type of what they read is not known.

    Constants that they read come along. Tensors that nobody in the part makes are its inputs; what nobody in
    it reads, or the whole returns, is its output.
    """
    chosen = {*places, *_constants(model, places)}
    nodes = [node for place, node in enumerate(model.graph.node) if place in chosen]
    made = {name for node in nodes for name in node.output if name}
    read = {name for node in nodes for name in [*node.input, *graph.captured(node)] if name}
    held = [tensor for tensor in model.graph.initializer if tensor.name in read]
    needed = sorted(read - made - {tensor.name for tensor in held} - _inner(nodes))
    if any(not _is_known(infos.get(name)) for name in needed):
        return None
    returned = [info.name for info in model.graph.output]
    ends = [name for name in _in_order(nodes) if name not in read or name in returned]
    inside = helper.make_graph(
        nodes, "part", [infos[name] for name in needed], [_output(name, infos) for name in ends], held
    )
    inside.value_info.extend(infos[name] for name in sorted(made - set(ends)) if name in infos)
    made_of = helper.make_model(
        inside, opset_imports=list(model.opset_import), functions=list(model.functions)
    )
    made_of.ir_version = model.ir_version
    return made_of


def _constants(model: ModelProto, places: Collection[int]) -> set[int]:
    nodes = model.graph.node
    wanted = {name for place in places for name in [*nodes[place].input, *graph.captured(nodes[place])]}
    return {
        place
        for place, node in enumerate(nodes)
        if node.op_type == "Constant" and node.output and node.output[0] in wanted
    }


def _inner(nodes: list[NodeProto]) -> set[str]:
    """Return the names that subgraphs define themselves: they are not read from outside."""
    found: set[str] = set()
    for node in nodes:
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                found |= {info.name for info in inner.input} | {t.name for t in inner.initializer}
                found |= {name for child in inner.node for name in child.output}
                found |= _inner(list(inner.node))
    return found


def _in_order(nodes: list[NodeProto]) -> list[str]:
    return [name for node in nodes for name in node.output if name]


def _is_known(info: ValueInfoProto | None) -> bool:
    if info is None:
        return False
    kind = info.type
    return not kind.HasField("tensor_type") or kind.tensor_type.elem_type != TensorProto.UNDEFINED


def _output(name: str, infos: Infos) -> ValueInfoProto:
    """Return what is known of an output; of one behind an unknown operator nothing is."""
    info = infos.get(name)
    return info if info and _is_known(info) else helper.make_tensor_value_info(name, TensorProto.FLOAT, None)

"""Noise that a model draws inside becomes an input: the same input then gives the same output."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

_STEP = 104_729  # a prime: two nodes' stretches of the noise differ


def seed_noise(model: ModelProto, name: str = "noise") -> ModelProto:
    """Return `model` with each `RandomNormalLike` fed from a new input `name` `(n,)`, standard normal.

    A node takes as many values as it needs, each node from its own offset, around the end of the
    input if it is short: the same text then gives the same sound. The model is returned as it is
    when it draws no noise.
    """
    made = ModelProto()
    made.CopyFrom(model)
    random = [node for node in model.graph.node if node.op_type == "RandomNormalLike"]
    if not random:
        return made
    nodes: list[NodeProto] = []
    for node in model.graph.node:
        if node.op_type == "RandomNormalLike":
            nodes += _taken(node, name, offset=_STEP * random.index(node))
        else:
            nodes.append(node)
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    made.graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [f"{name}_length"]))
    return made


def _taken(node: NodeProto, noise: str, offset: int) -> list[NodeProto]:
    """Return the nodes that shape a stretch of `noise` like `node`'s input, scaled by its mean and scale."""
    like, out = node.input[0], node.output[0]
    settings = {a.name: a.f for a in node.attribute if a.name in ("mean", "scale")}

    def name(part: str) -> str:
        return f"{out}/{part}"

    def constant(part: str, value: float | list[int], kind: type) -> NodeProto:
        tensor = numpy_helper.from_array(np.array(value, kind), name(part))
        return helper.make_node("Constant", [], [name(part)], value=tensor)

    return [
        constant("zero", 0, np.int64),
        constant("one", 1, np.int64),
        constant("offset", offset, np.int64),
        constant("scale", settings.get("scale", 1.0), np.float32),
        constant("mean", settings.get("mean", 0.0), np.float32),
        helper.make_node("Shape", [like], [name("shape")]),
        helper.make_node("Size", [like], [name("size")]),
        helper.make_node("Size", [noise], [name("length")]),
        helper.make_node("Range", [name("zero"), name("size"), name("one")], [name("range")]),
        helper.make_node("Add", [name("range"), name("offset")], [name("moved")]),
        helper.make_node("Mod", [name("moved"), name("length")], [name("index")]),
        helper.make_node("Gather", [noise, name("index")], [name("flat")]),
        helper.make_node("Reshape", [name("flat"), name("shape")], [name("normal")]),
        helper.make_node("Mul", [name("normal"), name("scale")], [name("scaled")]),
        helper.make_node("Add", [name("scaled"), name("mean")], [out]),
    ]

"""`Loop` with a known number of turns becomes its body, that many times."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED
from mien.engine.passes.inline import identity, inline
from mien.engine.validate.names import label

MAX_TURNS: Final = 64
MAX_NODES: Final = 4_096  # that one loop may become
_AXES_ARE_INPUT: Final = 13  # from this operator set on, `Unsqueeze` takes its axes as an input
_FOREVER: Final = np.iinfo(np.int64).max


@dataclass(slots=True)
class _Unrolled:
    nodes: list[NodeProto] = field(default_factory=list)
    weights: list[TensorProto] = field(default_factory=list)


def static_loop(model: ModelProto) -> Outcome:
    """Return `model` with each `Loop` of the main graph unrolled whose turns are known and few."""
    made = edit.copied(model)
    known = edit.known(made)
    nodes: list[NodeProto] = []
    weights: list[TensorProto] = []
    count, refusals = 0, []
    for node in made.graph.node:
        if not edit.is_standard(node, "Loop"):
            nodes.append(node)
        elif reason := _obstacle(node, known):
            refusals.append(f"{label(node)} ({reason})")
            nodes.append(node)
        else:
            part = _unroll(node, _turns(node, known), edit.opset(made))
            nodes += part.nodes
            weights += part.weights
            count += 1
    edit.keep_nodes(made.graph, nodes)
    made.graph.initializer.extend(weights)
    return Outcome(made, bool(count), tell("loops unrolled", count, refusals))


def _obstacle(node: NodeProto, known: dict[str, TensorProto]) -> str:
    """Return why a loop has to stay, `""` when it can be unrolled."""
    body = _body(node)
    if not all(name in known for name in node.input[:2] if name):
        return "its number of turns depends on the inputs"
    turns = _turns(node, known)
    if turns and not _goes_on(body):
        return "its body decides when it ends"
    if turns > MAX_TURNS or turns * len(body.node) > MAX_NODES:
        return f"{turns:,} turns are too many to unroll" if turns < _FOREVER else "it has no last turn"
    if not turns and len(node.output) > len(node.input) - 2:
        return "it collects nothing"
    return ""


def _body(node: NodeProto) -> GraphProto:
    body: GraphProto = edit.attributes(node)["body"]
    return body


def _turns(node: NodeProto, known: dict[str, TensorProto]) -> int:
    """Return how often the body runs when it never ends the loop itself."""

    def value(name: str, otherwise: int) -> int:
        return int(numpy_helper.to_array(known[name]).reshape(-1)[0]) if name else otherwise

    names = [*node.input, "", ""]
    return max(0, value(names[0], _FOREVER)) if value(names[1], 1) else 0


def _goes_on(body: GraphProto) -> bool:
    """Whether the body's condition is constantly true, or the one it was given."""
    name, given = body.output[0].name, body.input[1].name
    makers = {out: node for node in body.node for out in node.output}
    while name in makers and makers[name].op_type in ("Identity", "Cast"):
        name = makers[name].input[0]
    constants = edit.held(body)
    return name == given or (name in constants and bool(numpy_helper.to_array(constants[name]).all()))


def _unroll(node: NodeProto, turns: int, version: int) -> _Unrolled:
    body, prefix, result = _body(node), node.name or f"loop/{node.output[0]}", _Unrolled()
    carried = list(node.input[2:])
    collected: list[list[str]] = [[] for _ in body.output[1 + len(carried) :]]
    going_on = _constant(result, f"{prefix}/on", np.array(True))
    for turn in range(turns):
        number = _constant(result, f"{prefix}/{turn}/number", np.array(turn, np.int64))
        part = inline(body, f"{prefix}/{turn}", [number, going_on, *carried])
        result.nodes += part.nodes
        result.weights += part.weights
        carried = part.outputs[1 : 1 + len(carried)]
        for row, name in zip(collected, part.outputs[1 + len(carried) :], strict=True):
            row.append(name)
    outputs = [*node.output, *[""] * (len(carried) + len(collected) - len(node.output))]
    for name, out in zip(carried, outputs, strict=False):
        result.nodes += [identity(name, out)] if out else []
    for row, out in zip(collected, outputs[len(carried) :], strict=True):
        if out:
            _stack(result, row, out, version)
    return result


def _constant(result: _Unrolled, name: str, value: NDArray[Any]) -> str:
    result.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value, name)))
    return name


def _stack(result: _Unrolled, row: list[str], out: str, version: int) -> None:
    """Join what each turn gave along a new first axis."""
    rows = [f"{out}/{i}" for i in range(len(row))]
    if version >= _AXES_ARE_INPUT:
        axes = _constant(result, f"{out}/axes", np.array([0], np.int64))
        result.nodes += [
            helper.make_node("Unsqueeze", [a, axes], [b]) for a, b in zip(row, rows, strict=True)
        ]
    else:
        result.nodes += [
            helper.make_node("Unsqueeze", [a], [b], axes=[0]) for a, b in zip(row, rows, strict=True)
        ]
    result.nodes.append(helper.make_node("Concat", rows, [out], axis=0))


STATIC_LOOP = FunctionPass("static-loop", static_loop, (WELLFORMED,), (WELLFORMED,))

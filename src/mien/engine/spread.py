"""A vocoder laid out for threads: its narrow end is cut in time into parts that are computed as a batch.

ONNX Runtime's blocked layout divides a convolution among threads by its output channels, 32 to a thread, and
by the rows of the batch: one line of 32 channels runs on one thread. In two parts, each with what it hears of
the other, it runs on two, and the numbers stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from mien.engine import graph
from mien.engine.widen import CHANNELS, widen

_EACH: Final = {"LeakyRelu", "Relu", "Tanh", "Sigmoid", "Add", "Sub", "Mul", "Div", "Identity"}


def spread(model: ModelProto, threads: int) -> ModelProto:
    """Return `model` widened, what follows its last 1-D `ConvTranspose` in as many parts as `threads` need.

    That stays in one where it is wide enough, or does more than convolve and compute number by number.
    """
    end = _end(model)
    parts = -(-CHANNELS * threads // max(CHANNELS, end.channels)) if end else 1
    if end is None or parts < 2:
        return widen(model, threads)
    return widen(_cut(model, end, parts), threads, {*end.inside, f"{end.result}/parts"})


@dataclass(frozen=True, slots=True)
class _End:
    """What is computed from `source` alone until `result`, both `(n, c, t)`; it hears `context` to a side."""

    source: str
    result: str
    context: int
    channels: int
    inside: frozenset[str]


def _end(model: ModelProto) -> _End | None:
    known = graph.constants(model)
    ups = next((node for node in reversed(model.graph.node) if node.op_type == "ConvTranspose"), None)
    if ups is None or ups.input[1] not in known or len(known[ups.input[1]].dims) != 3:
        return None
    source = ups.output[0]
    reach = {source: 0}
    for node in model.graph.node:
        step = _step(node, known)
        read = [name for name in node.input if name not in known]
        if step is not None and read and all(name in reach for name in read):
            reach[node.output[0]] = max(reach[name] for name in read) + step
    leaves = _leaves(model, reach)
    if len(leaves) != 1 or leaves == {source}:
        return None
    (result,) = leaves
    return _End(source, result, reach[result], int(known[ups.input[1]].dims[1]), frozenset(reach))


def _step(node: NodeProto, known: dict[str, TensorProto]) -> int | None:
    """Return how much further to each side a node hears; None for one that may do anything else."""
    if node.op_type in _EACH:
        return 0 if all(not known[name].dims for name in node.input if name in known) else None
    weight = known.get(node.input[1]) if node.op_type == "Conv" else None
    if weight is None or len(weight.dims) != 3:
        return None
    values: dict[str, Any] = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    side = (weight.dims[2] - 1) * next(iter(values.get("dilations", [1]))) // 2
    plain = list(values.get("strides", [1])) == [1] and list(values.get("pads", [0, 0])) == [side, side]
    return side if plain and weight.dims[2] % 2 else None


def _leaves(model: ModelProto, inside: dict[str, int]) -> set[str]:
    """Return the tensors inside that somebody outside reads."""
    read = {
        name
        for node in model.graph.node
        if node.output[0] not in inside
        for name in node.input
        if name in inside
    }
    return read | {info.name for info in model.graph.output if info.name in inside}


def _cut(model: ModelProto, end: _End, parts: int) -> ModelProto:
    made = ModelProto()
    made.CopyFrom(model)
    nodes = list(made.graph.node)
    first = next(i for i, node in enumerate(nodes) if end.source in node.output)
    last = next(i for i, node in enumerate(nodes) if end.result in node.output)
    for node in nodes[first + 1 :]:
        for place, name in enumerate(node.input):
            node.input[place] = f"{name}/parts" if name == end.source else name
    nodes[last].output[0] = f"{end.result}/parts"
    for node in nodes[first + 1 : last + 1]:
        for place, name in enumerate(node.input):
            node.input[place] = f"{name}/parts" if name == end.result else name
    writer = _Writer(made)
    apart, joined = list(writer.apart(end, parts)), list(writer.joined(end, parts))
    del made.graph.node[:]
    made.graph.node.extend(
        [*nodes[: first + 1], *apart, *nodes[first + 1 : last + 1], *joined, *nodes[last + 1 :]]
    )
    del made.graph.value_info[:]
    return made


class _Writer:
    """The nodes that cut a line of `T` into parts of `L = min(H + 2 context, T)`, `H` new ones each.

    Part `i` begins at `min(max(i H - context, 0), T - L)`: at both ends the line itself ends there.
    """

    def __init__(self, model: ModelProto) -> None:
        self._model = model
        self._made: set[str] = set()

    def apart(self, end: _End, parts: int) -> Iterator[NodeProto]:
        name, context = end.source, end.context
        yield helper.make_node("Shape", [name], ["spread/T"], start=2, end=3)
        yield self._node("Add", ["spread/T", self._number(parts - 1)], "spread/T+")
        yield self._node("Div", ["spread/T+", self._number(parts)], "spread/H")
        yield self._node("Add", ["spread/H", self._number(2 * context)], "spread/H+")
        yield self._node("Min", ["spread/H+", "spread/T"], "spread/L")
        yield self._node("Sub", ["spread/T", "spread/L"], "spread/last")
        for i in range(parts):
            yield self._node("Mul", ["spread/H", self._number(i)], f"spread/{i}/new")
            yield self._node("Sub", [f"spread/{i}/new", self._number(context)], f"spread/{i}/heard")
            yield self._node("Max", [f"spread/{i}/heard", self._number(0)], f"spread/{i}/positive")
            yield self._node("Min", [f"spread/{i}/positive", "spread/last"], f"spread/{i}/begin")
            yield self._node("Add", [f"spread/{i}/begin", "spread/L"], f"spread/{i}/end")
            yield self._slice(name, f"spread/{i}/begin", f"spread/{i}/end", f"spread/{i}")
        yield helper.make_node("Concat", [f"spread/{i}" for i in range(parts)], [f"{name}/parts"], axis=0)

    def joined(self, end: _End, parts: int) -> Iterator[NodeProto]:
        rows = [f"spread/{i}/row" for i in range(parts)]
        yield helper.make_node("Split", [f"{end.result}/parts"], rows, axis=0, **self._outputs(parts))
        for i in range(parts):
            yield self._node("Sub", [f"spread/{i}/new", f"spread/{i}/begin"], f"spread/{i}/skip")
            yield self._node("Add", [f"spread/{i}/skip", "spread/H"], f"spread/{i}/stop")
            yield self._slice(rows[i], f"spread/{i}/skip", f"spread/{i}/stop", f"spread/{i}/cut")
        yield helper.make_node("Concat", [f"spread/{i}/cut" for i in range(parts)], [end.result], axis=2)

    def _outputs(self, parts: int) -> dict[str, Any]:
        """Since operator set 18 the number of equal parts is said."""
        version = next(s.version for s in self._model.opset_import if s.domain in ("", "ai.onnx"))
        return {"num_outputs": parts} if version >= 18 else {}

    def _node(self, operator: str, inputs: Sequence[str], output: str) -> NodeProto:
        return helper.make_node(operator, inputs, [output])

    def _slice(self, name: str, begin: str, end: str, output: str) -> NodeProto:
        return helper.make_node("Slice", [name, begin, end, self._number(2)], [output])

    def _number(self, value: int) -> str:
        name = f"spread/number/{value}"
        if name not in self._made:
            self._made.add(name)
            self._model.graph.initializer.append(numpy_helper.from_array(np.array([value], np.int64), name))
        return name

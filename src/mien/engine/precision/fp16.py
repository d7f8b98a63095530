"""Half precision in the graph, node by node, with what does not fit left in fp32 and named.

An own converter: those at hand clamp constants that are out of range without a word, and leave types that do
not match behind. Each tensor has its name in fp32 and, where it is needed, `NAME/fp16`; a cast is made once,
when the first node asks for the other form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, defs, helper, numpy_helper

from mien.engine.calibrate.ranges import Range
from mien.engine.graph import constants, prune, value_infos
from mien.engine.precision.plan import Plan

LARGEST = 65_504.0
HEADROOM = 2.0  # unseen data may be this much larger than the samples
_SMALLEST = 2.0**-25  # what is not larger rounds to 0
_HALF, _FLOAT = TensorProto.FLOAT16, TensorProto.FLOAT
# These make their type from an attribute, or hold what must stay exact.
_NEVER = frozenset(
    "Cast CastLike Constant ConstantOfShape QuantizeLinear DequantizeLinear Range CumSum EyeLike "
    "RandomNormal RandomNormalLike RandomUniform RandomUniformLike".split()
)


def candidates(model: ModelProto) -> Plan:
    """Return the plan that puts every node into fp16 whose operator has it."""
    typed = _float_tensors(model)
    nodes = {
        n.name: "fp16" for n in model.graph.node if _eligible(n, model) and typed & {*n.input, *n.output}
    }
    return Plan("fp16", nodes)


def fitting(model: ModelProto, plan: Plan, ranges: Mapping[str, Range]) -> Plan:
    """Return the plan without the nodes that would leave fp16's range, each with its reason."""
    known = constants(model)
    for node in model.graph.node:
        if node.name in plan.nodes and (reason := _out_of_range(node, known, ranges)):
            plan = plan.without([node.name], reason)
    return plan


def convert(model: ModelProto, plan: Plan) -> ModelProto:
    """Return `model` (its nodes named) with the plan's nodes in fp16; inputs and outputs keep their types."""
    return _Converter(model, plan).run()


class _Converter:
    def __init__(self, model: ModelProto, plan: Plan) -> None:
        self._model, self._plan = model, plan
        self._typed = _float_tensors(model)
        self._constants = constants(model)
        self._nodes: list[NodeProto] = []
        self._has: set[str] = {info.name for info in model.graph.input} | self._constants.keys()
        self._tensors: list[TensorProto] = []

    def run(self) -> ModelProto:
        for node in self._model.graph.node:
            if node.name in self._plan.nodes:
                self._half(node)
            else:
                self._full(node)
        for info in self._model.graph.output:
            self._need(info.name)
        made = ModelProto()
        made.CopyFrom(self._model)
        del made.graph.node[:], made.graph.value_info[:]
        made.graph.node.extend(self._nodes)
        made.graph.initializer.extend(self._tensors)
        return prune(made)

    def _half(self, node: NodeProto) -> None:
        made = NodeProto()
        made.CopyFrom(node)
        schema = _schema(node, self._model)
        for place, name in enumerate(node.input):
            if name in self._typed and _takes_half(schema.inputs, place):
                made.input[place] = self._need_half(name)
            elif name:
                self._need(name)
        for place, name in enumerate(node.output):
            if name in self._typed:
                made.output[place] = f"{name}/fp16"
            self._has.add(made.output[place])
        self._nodes.append(made)

    def _full(self, node: NodeProto) -> None:
        for name in [*node.input, *_inner_names(node)]:
            self._need(name)
        self._has |= set(node.output)
        self._nodes.append(node)

    def _need(self, name: str) -> None:
        """Make sure that the fp32 form of a tensor is there."""
        if name and name not in self._has and f"{name}/fp16" in self._has:
            self._cast(f"{name}/fp16", name, _FLOAT)

    def _need_half(self, name: str) -> str:
        half = f"{name}/fp16"
        if half in self._has:
            return half
        if name in self._constants:
            value = numpy_helper.to_array(self._constants[name]).astype(np.float16)
            self._tensors.append(numpy_helper.from_array(value, half))
            self._has.add(half)
        else:
            self._cast(name, half, _HALF)
        return half

    def _cast(self, given: str, made: str, kind: int) -> None:
        self._nodes.append(helper.make_node("Cast", [given], [made], f"{made}/cast", to=kind))
        self._has.add(made)


def _out_of_range(
    node: NodeProto, known: Mapping[str, TensorProto], ranges: Mapping[str, Range]
) -> str | None:
    for name in [*node.input, *node.output]:
        if name in known and known[name].data_type == _FLOAT:
            value = np.abs(numpy_helper.to_array(known[name]))
            if value.max(initial=0.0) > LARGEST:
                return f"constant {name!r} reaches {value.max():.4g}; fp16 ends at {LARGEST:,.0f}"
            if value.size and 0.0 < value.max() <= _SMALLEST:
                return f"constant {name!r} of {value.max():.3g} would become 0 in fp16"
        elif name in ranges and ranges[name].largest * HEADROOM > LARGEST:
            return f"{name!r} reaches {ranges[name].largest:.4g}; fp16 ends at {LARGEST:,.0f}"
    return None


def _float_tensors(model: ModelProto) -> set[str]:
    known = {name for name, tensor in constants(model).items() if tensor.data_type == _FLOAT}
    infos = value_infos(model)
    return known | {n for n, info in infos.items() if info.type.tensor_type.elem_type == _FLOAT}


def _eligible(node: NodeProto, model: ModelProto) -> bool:
    """Whether an operator computes in fp16 what it computes in fp32."""
    if node.domain not in ("", "ai.onnx") or node.op_type in _NEVER or any(_inner_names(node)):
        return False
    schema = _schema(node, model)
    return all(_takes_half(schema.outputs, place) for place in range(len(node.output)))


def _schema(node: NodeProto, model: ModelProto) -> defs.OpSchema:
    version = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    return defs.get_schema(node.op_type, version, "")


def _takes_half(formals: Iterable[defs.OpSchema.FormalParameter], place: int) -> bool:
    """Whether an input or output may be fp16, or is of no floating-point type at all."""
    listed = list(formals)
    types = set(listed[min(place, len(listed) - 1)].types)
    return "tensor(float16)" in types or "tensor(float)" not in types


def _inner_names(node: NodeProto) -> set[str]:
    """Return the outer tensors that a node's subgraphs may read."""
    names: set[str] = set()
    for attribute in node.attribute:
        for inner in [attribute.g, *attribute.graphs]:
            for child in inner.node:
                names |= set(child.input) | _inner_names(child)
            names |= {info.name for info in inner.output}
    return names

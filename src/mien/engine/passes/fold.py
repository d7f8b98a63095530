"""Constant folding: what depends on no input is computed once, by ONNX Runtime's own kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from mien.engine.backends import reference
from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED, WHOLE
from mien.engine.passes.dead import sweep
from mien.engine.validate.names import subgraphs
from mien.errors import MienError

# What must not be folded: it draws numbers, holds sequences, or keeps weights small on purpose.
_DRAWS: Final = frozenset(
    "RandomNormal RandomUniform RandomNormalLike RandomUniformLike Bernoulli Multinomial Dropout".split()
)
_SEQUENCES: Final = frozenset(
    """SequenceConstruct SequenceEmpty SequenceInsert SequenceErase SequenceAt SequenceLength SequenceMap
    SplitToSequence ConcatFromSequence Optional OptionalGetElement OptionalHasElement""".split()
)
_SMALL: Final = frozenset("QuantizeLinear DequantizeLinear DynamicQuantizeLinear Constant Identity".split())
_EXCEPT: Final = _DRAWS | _SEQUENCES | _SMALL
_GROWING: Final = frozenset(
    "ConstantOfShape Expand Tile Range Resize Upsample Pad OneHot EyeLike Einsum MatMul Gather".split()
)
_ROOM: Final = 1 << 16  # elements that a folded tensor may have beyond its inputs
Array = NDArray[Any]


def fold_constants(model: ModelProto) -> Outcome:
    """Return `model` with everything computed that no input can change.

    A result that would take much more room than what it is made of stays a node.
    """
    made = edit.copied(model)
    sized = _fold_shapes(made)
    nodes = _foldable(made)
    try:
        values = _values(made, nodes)
    except MienError as refusal:
        return Outcome(model, changed=False, note=f"not folded: {refusal}")
    gone = set(values)
    rest = [node for node in made.graph.node if not gone & set(node.output)]
    folded = len(made.graph.node) - len(rest)
    edit.keep_nodes(made.graph, rest)
    for name, value in values.items():
        edit.put(made, name, value)
    if folded or sized:
        sweep(made.graph)
    removed = len(model.graph.node) - len(made.graph.node)
    return Outcome(made, bool(folded or sized), tell("nodes removed", removed))


def _fold_shapes(model: ModelProto) -> int:
    """Turn `Shape`, `Size` and `Gather` from a `Shape` into constants where known; return how many."""
    makers = {node.output[0]: node for node in model.graph.node if edit.is_standard(node, "Shape", "Size")}
    if not makers:
        return 0
    shapes, known = edit.shapes(model), edit.known(model)
    values: dict[str, Array] = {}
    for node in model.graph.node:
        if node.output and node.output[0] in makers:
            value = _measured(node, shapes.get(node.input[0]))
        elif edit.is_standard(node, "Gather") and node.input[0] in makers and node.input[1] in known:
            index = numpy_helper.to_array(known[node.input[1]])
            value = _picked(makers[node.input[0]], shapes, index)
        else:
            continue
        if value is not None:
            values[node.output[0]] = value
    rest = [node for node in model.graph.node if not node.output or node.output[0] not in values]
    edit.keep_nodes(model.graph, rest)
    for name, value in values.items():
        edit.put(model, name, value)
    return len(values)


def _measured(node: NodeProto, shape: tuple[int | None, ...] | None) -> Array | None:
    """Return what `Shape` or `Size` gives, None when it is not known."""
    if shape is None:
        return None
    given = edit.attributes(node)
    part = shape[slice(given.get("start", 0), given.get("end"))]
    if None in part:
        return None
    found = np.array(part, np.int64)
    return np.asarray(found.prod()) if node.op_type == "Size" else found


def _picked(node: NodeProto, shapes: Mapping[str, tuple[int | None, ...]], index: Array) -> Array | None:
    """Return the sizes at `index` that `Gather` takes from a `Shape`, None when one is not known."""
    shape = shapes.get(node.input[0])
    if shape is None or node.op_type != "Shape" or node.attribute:
        return None
    if any(not -len(shape) <= i < len(shape) or shape[i] is None for i in index.reshape(-1)):
        return None
    picked = [shape[i] for i in index.reshape(-1)]
    return np.array(picked, np.int64).reshape(index.shape)


def _foldable(model: ModelProto) -> list[NodeProto]:
    """Return the nodes whose inputs are all constant, in order."""
    constant = set(edit.known(model))
    sizes = edit.sizes(model)
    chosen = []
    for node in model.graph.node:
        inputs = [name for name in node.input if name]
        if inputs and _may_fold(node, sizes) and all(name in constant for name in inputs):
            chosen.append(node)
            constant.update(name for name in node.output if name)
    return chosen


def _may_fold(node: NodeProto, sizes: dict[str, int]) -> bool:
    if not edit.is_standard(node) or node.op_type in _EXCEPT or next(subgraphs(node), None) is not None:
        return False
    room = sum(sizes.get(name, 0) for name in node.input) + _ROOM
    unknown = room + 1 if node.op_type in _GROWING else 0
    return all(sizes.get(name, unknown) <= room for name in node.output if name)


def _values(model: ModelProto, nodes: list[NodeProto]) -> dict[str, Array]:
    """Compute the tensors that the folded nodes hand to the rest of the model."""
    inside = {name for node in nodes for name in node.output if name}
    rest = [node for node in model.graph.node if not inside & set(node.output)]
    read = {info.name for info in model.graph.output} | set(_reads(rest))
    wanted = sorted(inside & read)
    if not wanted:
        return {}
    part = helper.make_graph(nodes, "constants", [], [helper.make_empty_tensor_value_info(n) for n in wanted])
    known = edit.known(model)
    needed = {name for node in nodes for name in node.input if name in known}
    for name in sorted(needed):
        tensor = TensorProto()
        tensor.CopyFrom(known[name])
        tensor.name = name
        part.initializer.append(tensor)
    whole = helper.make_model(
        part, opset_imports=list(model.opset_import), ir_version=max(model.ir_version, 4)
    )
    values = reference.Session(whole).run({})
    return {name: value for name, value in zip(wanted, values, strict=True) if isinstance(value, np.ndarray)}


def _reads(nodes: list[NodeProto]) -> Iterator[str]:
    for node in nodes:
        yield from node.input
        for inner in subgraphs(node):
            yield from edit.uses(inner)


FOLD = FunctionPass("fold-constants", fold_constants, requires=(WELLFORMED, WHOLE), ensures=(WELLFORMED,))

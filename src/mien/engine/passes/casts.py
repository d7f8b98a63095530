"""`Cast` after `Cast`: there and back is nothing, when nothing is lost on the way."""

from __future__ import annotations

from typing import Final

from onnx import ModelProto, NodeProto, TensorProto, helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED
from mien.engine.passes.dead import sweep

# Type → whether it is signed, bits of the largest number.
_INTEGERS: Final[dict[int, tuple[int, int]]] = {
    TensorProto.BOOL: (0, 1),
    TensorProto.UINT8: (0, 8),
    TensorProto.UINT16: (0, 16),
    TensorProto.UINT32: (0, 32),
    TensorProto.UINT64: (0, 64),
    TensorProto.INT8: (1, 7),
    TensorProto.INT16: (1, 15),
    TensorProto.INT32: (1, 31),
    TensorProto.INT64: (1, 63),
}
_FLOATS: Final[dict[int, tuple[int, int]]] = {  # significand bits, exponent bits
    TensorProto.FLOAT16: (11, 5),
    TensorProto.BFLOAT16: (8, 8),
    TensorProto.FLOAT: (24, 8),
    TensorProto.DOUBLE: (53, 11),
}


def lossless(source: int, target: int) -> bool:
    """Whether each value of an ONNX type has an equal one in another."""
    if source == target:
        return True
    if source in _INTEGERS and target in _INTEGERS and target != TensorProto.BOOL:
        (signed, bits), (target_signed, target_bits) = _INTEGERS[source], _INTEGERS[target]
        return bits <= target_bits and signed <= target_signed
    if source in _INTEGERS and target in _FLOATS:
        return _INTEGERS[source][1] <= _FLOATS[target][0]
    if source in _FLOATS and target in _FLOATS:
        return all(a <= b for a, b in zip(_FLOATS[source], _FLOATS[target], strict=True))
    return False


def casts(model: ModelProto) -> Outcome:
    """Return `model` where a `Cast` after a lossless `Cast` starts from its source, or is gone."""
    made = edit.copied(model)
    kinds = edit.types(made)
    makers = {node.output[0]: node for node in made.graph.node if _is_cast(node)}
    joined = 0
    for node in made.graph.node:
        first = makers.get(node.input[0]) if _is_cast(node) else None
        if first is not None and _joins(kinds.get(first.input[0], 0), _target(first), _target(node)):
            node.input[0] = first.input[0]
            joined += 1
    gone = edit.bypass(made, lambda node: _is_cast(node) and kinds.get(node.input[0], -1) == _target(node))
    if joined:
        sweep(made.graph)
    removed = len(model.graph.node) - len(made.graph.node)
    what = tell("casts removed", removed) if removed else tell("casts made shorter", joined)
    return Outcome(made, bool(joined or gone), what)


def _joins(source: int, middle: int, target: int) -> bool:
    """Whether source → middle → target is source → target for every value.

    A float outside the range of an integer has no defined value there, an integer has.
    """
    safe = not (middle in _FLOATS and target in _INTEGERS) or lossless(source, target)
    return lossless(source, middle) and safe


def _is_cast(node: NodeProto) -> bool:
    return edit.is_standard(node, "Cast") and any(a.name == "to" for a in node.attribute)


def _target(node: NodeProto) -> int:
    return next(int(helper.get_attribute_value(a)) for a in node.attribute if a.name == "to")


CASTS = FunctionPass("cancel-casts", casts, requires=(WELLFORMED,), ensures=(WELLFORMED,))

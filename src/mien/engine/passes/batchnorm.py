"""`BatchNormalization` behind a convolution becomes part of its weights.

`y = s · (W * x + b - m) / sqrt(v + e) + t` is a convolution with weights `W · s / sqrt(v + e)` for each
output channel (Ioffe and Szegedy, 2015, section 3.1, with the statistics of training held fixed).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, numpy_helper

from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED, WHOLE
from mien.engine.passes.dead import sweep
from mien.engine.validate.names import label

Floats = NDArray[np.float64]


def batchnorm_into_conv(model: ModelProto) -> Outcome:
    """Return `model` with every `BatchNormalization` that follows a convolution alone folded into it."""
    made = edit.copied(model)
    known, counted = edit.known(made), edit.uses(made.graph)
    convolutions = {n.output[0]: n for n in made.graph.node if edit.is_standard(n, "Conv", "ConvTranspose")}
    gone: set[int] = set()
    weights: dict[str, NDArray[np.generic]] = {}
    refusals = []
    for i, node in enumerate(made.graph.node):
        if not edit.is_standard(node, "BatchNormalization"):
            continue
        conv = convolutions.get(node.input[0])
        if reason := _obstacle(conv, node, known, counted[node.input[0]]):
            refusals.append(f"{label(node)} ({reason})")
        elif conv is not None:
            weights |= _fold(conv, node, known)
            edit.forget(made.graph, [node.input[0]])
            gone.add(i)
    edit.keep_nodes(made.graph, [node for i, node in enumerate(made.graph.node) if i not in gone])
    for name, value in weights.items():
        edit.put(made, name, value)
    if gone:
        sweep(made.graph)
    return Outcome(made, bool(gone), tell("folded", len(gone), refusals))


def _obstacle(conv: NodeProto | None, norm: NodeProto, known: dict[str, TensorProto], readers: int) -> str:
    """Return why a normalisation has to stay, `""` when it can go."""
    if conv is None:
        return "no convolution before it"
    if edit.attributes(norm).get("training_mode") or len(norm.output) > 1:
        return "in training mode"
    if readers > 1:
        return "the convolution is read elsewhere too"
    if not all(name in known for name in [*norm.input[1:5], *conv.input[1:]] if name):
        return "its weights are not constant"
    if conv.op_type == "ConvTranspose" and edit.attributes(conv).get("group", 1) != 1:
        return "the convolution is transposed and grouped"
    return ""


def _fold(conv: NodeProto, norm: NodeProto, known: dict[str, TensorProto]) -> dict[str, NDArray[np.generic]]:
    """Let the convolution make what the normalisation made; return its new weights by name."""
    scale, shift, mean, variance = (_value(known, name) for name in norm.input[1:5])
    factor = scale / np.sqrt(variance + edit.attributes(norm).get("epsilon", 1e-5))
    weight = numpy_helper.to_array(known[conv.input[1]])
    axis = 1 if conv.op_type == "ConvTranspose" else 0
    along = [-1 if i == axis else 1 for i in range(weight.ndim)]
    has_bias = len(conv.input) > 2 and conv.input[2]
    bias = _value(known, conv.input[2]) if has_bias else np.zeros_like(mean)
    out = norm.output[0]
    conv.input[:] = [conv.input[0], f"{out}/weight", f"{out}/bias"]
    conv.output[0] = out
    return {
        f"{out}/weight": (weight * factor.reshape(along)).astype(weight.dtype),
        f"{out}/bias": ((bias - mean) * factor + shift).astype(weight.dtype),
    }


def _value(known: dict[str, TensorProto], name: str) -> Floats:
    return numpy_helper.to_array(known[name]).astype(np.float64)


BATCHNORM = FunctionPass(
    "batchnorm-into-conv",
    batchnorm_into_conv,
    requires=(WELLFORMED, WHOLE),
    ensures=(WELLFORMED,),
)

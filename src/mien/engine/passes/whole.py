"""The rewrites of whole models in the form of passes.

`mien.engine.noise.seed_noise` is none: it adds an input, so no result before is to be compared with.
"""

from __future__ import annotations

from onnx import ModelProto

from mien.engine.dequantise import dequantise, is_dynamic
from mien.engine.passes import edit
from mien.engine.passes.base import FunctionPass, Outcome, tell
from mien.engine.passes.conditions import WELLFORMED, WHOLE, none
from mien.engine.widen import widen

# The rounding of inputs to 8 bits that dequantising takes away, of an output's largest value.
DEQUANTISE_TOLERANCE = 0.1
_INTEGER = ("MatMulInteger", "ConvInteger", "DynamicQuantizeLSTM")


def _dequantised(model: ModelProto) -> Outcome:
    if not is_dynamic(model):
        return Outcome(model, changed=False, note=tell("", 0))
    count = sum(node.op_type in _INTEGER for node in model.graph.node)
    return Outcome(dequantise(model), changed=True, note=tell("dynamically quantised nodes in float", count))


def _widened(model: ModelProto) -> Outcome:
    known = edit.known(model)
    lines = [
        node
        for node in model.graph.node
        if edit.is_standard(node, "Conv", "ConvTranspose")
        and len(getattr(known.get(node.input[1]), "dims", "")) == 3
    ]
    if not lines or edit.opset(model) < 13:
        return Outcome(model, changed=False, note=tell("", 0))
    return Outcome(widen(model), changed=True, note=tell("1-D convolutions in 2-D", len(lines)))


DEQUANTISE = FunctionPass(
    "dequantise",
    _dequantised,
    requires=(WELLFORMED, WHOLE),
    ensures=(WELLFORMED, none("dynamic quantisation", lambda node: node.op_type in _INTEGER)),
)
WIDEN = FunctionPass("widen-convolutions", _widened, requires=(WELLFORMED, WHOLE), ensures=(WELLFORMED,))

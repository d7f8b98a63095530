"""What a written model really contains, node by node, and what ONNX Runtime makes of it."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from onnx import ModelProto, NodeProto, TensorProto

from mien.engine import graph
from mien.engine.backends import onnxruntime
from mien.engine.precision.plan import Plan
from mien.errors import CorruptError

_HELPERS = {"QuantizeLinear", "DequantizeLinear", "Cast", "Constant"}
_INTEGER = {"QLinearConv", "QLinearMatMul", "QGemm", "ConvInteger", "MatMulInteger", "MatMulIntegerToFloat",
            "DynamicQuantizeMatMul"}  # fmt: skip
_FLOATING = {
    "Conv",
    "FusedConv",
    "NhwcFusedConv",
    "ConvTranspose",
    "MatMul",
    "FusedMatMul",
    "Gemm",
    "FusedGemm",
}


def contained(model: ModelProto) -> dict[str, str]:
    """Return each computing node's precision from the types of what it reads.

    `int8`: all its floats come from `DequantizeLinear` and its output is quantised or its weight stored in
    int8; `w8`: only its weight; `fp16`, `fp32` by type; `other` for whole numbers and text.
    """
    made_by, known, readers = graph.producers(model), graph.constants(model), graph.consumers(model)
    infos = graph.value_infos(model)

    def kind(name: str) -> int:
        if name in known:
            return known[name].data_type
        return infos[name].type.tensor_type.elem_type if name in infos else TensorProto.UNDEFINED

    def is_stored(source: NodeProto | None) -> bool:
        return source is not None and source.op_type == "DequantizeLinear" and source.input[0] in known

    def requantised(node: NodeProto) -> bool:
        return any(reader.op_type == "QuantizeLinear" for reader in readers.get(node.output[0], []))

    def precision(node: NodeProto) -> str:
        sources = [made_by.get(name) for name in node.input[:2]]
        dequantised = [source is not None and source.op_type == "DequantizeLinear" for source in sources]
        stored = len(sources) == 2 and is_stored(sources[1])
        if len(dequantised) == 2 and all(dequantised) and (stored or requantised(node)):
            return "int8"
        if stored:
            return "w8"
        kinds = {kind(name) for name in [*node.input, *node.output] if name}
        if TensorProto.FLOAT16 in kinds:
            return "fp16"
        return "fp32" if TensorProto.FLOAT in kinds else "other"

    return {node.name: precision(node) for node in model.graph.node if node.op_type not in _HELPERS}


def check(model: ModelProto, plan: Plan) -> Counter[str]:
    """Return how many nodes have which precision; raises `CorruptError` where it is not what was planned."""
    found = contained(model)
    for name, planned in plan.nodes.items():
        if found.get(name) != planned:
            raise CorruptError(
                f"node {name!r} was to be {planned} and is {found.get(name, 'gone')} in what was built"
            )
    return Counter(found.values())


def executed(data: bytes, options: onnxruntime.Options) -> Counter[str]:
    """Return the operators that ONNX Runtime runs for a model after its own rewriting.

    Only convolutions and matrix products are counted: `{"int8 QLinearConv": 20, "float ConvTranspose": 3}`.
    """
    with tempfile.TemporaryDirectory() as folder:
        aside = Path(folder) / "optimised.onnx"
        onnxruntime.optimised(data, aside, options)
        model = graph.load(aside)
    counted: Counter[str] = Counter()
    for node in model.graph.node:
        if node.op_type in _INTEGER:
            counted[f"int8 {node.op_type}"] += 1
        elif node.op_type in _FLOATING:
            counted[f"float {node.op_type}"] += 1
    return counted

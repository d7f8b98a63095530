"""The precision that a model really contains, whatever its name says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from onnx import ModelProto, TensorProto

from mien.engine.validate.sizes import tensor_bytes
from mien.engine.validate.tensors import tensors

_DYNAMIC = ("MatMulInteger", "ConvInteger", "com.microsoft::DynamicQuantizeLSTM")
_STATIC = ("QLinearConv", "QLinearMatMul", "com.microsoft::QLinearAdd", "com.microsoft::QGemm")
_PACKED = ("com.microsoft::MatMulNBits", "com.microsoft::MatMulBnb4")
_HEAVY = ("Conv", "ConvTranspose", "MatMul", "Gemm", "LSTM", "GRU", "Attention")
_NAMES = {
    TensorProto.FLOAT: "float32",
    TensorProto.FLOAT16: "float16",
    TensorProto.BFLOAT16: "bfloat16",
    TensorProto.DOUBLE: "float64",
    TensorProto.INT8: "int8",
    TensorProto.UINT8: "int8",
    TensorProto.INT4: "int4",
    TensorProto.UINT4: "int4",
}


def precision(model: ModelProto, operators: Counter[str]) -> tuple[str, ...]:
    """Return lines that say in which precision the weights lie and the operators compute."""
    return (*_of_weights(model), *_of_operators(operators))


def _of_weights(model: ModelProto) -> Iterator[str]:
    sizes: Counter[str] = Counter()
    for tensor in tensors(model):
        if tensor.data_type in _NAMES:
            sizes[_NAMES[TensorProto.DataType.ValueType(tensor.data_type)]] += tensor_bytes(tensor)
    total = sum(sizes.values())
    if total:
        shares = [f"{100 * size / total:.0f} % {kind}" for kind, size in sizes.most_common() if size]
        yield f"weights by bytes: {', '.join(shares)}"


def _of_operators(operators: Counter[str]) -> Iterator[str]:
    heavy, dynamic = _sum(operators, _HEAVY), _sum(operators, _DYNAMIC)
    static, packed = _sum(operators, _STATIC), _sum(operators, _PACKED)
    if dynamic:
        what = f"{dynamic} of {dynamic + heavy} heavy operators compute in int8, inputs quantised at run time"
        yield f"{what} (dynamic quantisation)"
    quantise, restore = operators["QuantizeLinear"], operators["DequantizeLinear"]
    if quantise:
        pairs = f"{quantise} QuantizeLinear, {restore} DequantizeLinear"
        yield f"{pairs} (QDQ: the backend decides what runs in int8)"
    elif restore:
        yield f"{restore} DequantizeLinear: weights that lie in int8 and compute in float"
    if static:
        yield f"{static} operators in int8 with fixed ranges (QOperator form)"
    if packed:
        yield f"{packed} MatMuls with packed low-bit weights"
    if not (dynamic or static or packed or restore):
        yield f"{heavy} heavy operators ({', '.join(name for name in _HEAVY if operators[name]) or 'none'})"


def _sum(operators: Counter[str], names: tuple[str, ...]) -> int:
    return sum(operators[name] for name in names)

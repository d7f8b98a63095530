"""How many bytes a tensor needs."""

from __future__ import annotations

import math
from typing import Final

from onnx import TensorProto
from onnx.helper import tensor_dtype_to_np_dtype

# Bits of one element, where numpy's own size is not the size in the file.
_BITS: Final[dict[int, int]] = {
    TensorProto.UINT4: 4,
    TensorProto.INT4: 4,
    TensorProto.FLOAT4E2M1: 4,
    TensorProto.UINT2: 2,
    TensorProto.INT2: 2,
    TensorProto.FLOAT6E2M3: 6,
    TensorProto.FLOAT6E3M2: 6,
    TensorProto.STRING: 8,
}


def element_bits(data_type: int) -> int:
    """Return the bits that one element of an ONNX type takes; a string counts as 8."""
    return _BITS.get(data_type) or int(tensor_dtype_to_np_dtype(data_type).itemsize) * 8


def tensor_bytes(tensor: TensorProto) -> int:
    """Return the bytes that a tensor's shape and type ask for."""
    elements = int(math.prod(tensor.dims))
    return (elements * element_bits(tensor.data_type) + 7) // 8

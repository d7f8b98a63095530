"""Element types that numpy does not have (bfloat16, float8, int4 ...), to ONNX Runtime and back.

In numpy they are those of `ml_dtypes`, one element to a byte or two; ONNX Runtime packs types of 4 and
2 bits, the first element in the lowest bits.
"""

from __future__ import annotations

import ctypes
import math
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx.helper import np_dtype_to_tensor_dtype, tensor_dtype_to_np_dtype

from mien.engine.validate.sizes import element_bits

_REGISTERED = 2  # numpy's mark of types that other libraries bring
_WORDS = {1: np.uint8, 2: np.uint16}


def is_narrow(value: Any) -> bool:
    """Whether an array is of a type that numpy does not have itself."""
    return isinstance(value, np.ndarray) and value.dtype.isbuiltin == _REGISTERED


def to_value(runtime: ModuleType, array: NDArray[Any]) -> Any:
    """Return an array as ONNX Runtime's own value."""
    if not is_narrow(array):
        return runtime.OrtValue.ortvalue_from_numpy(array)
    kind = int(np_dtype_to_tensor_dtype(array.dtype))
    words = np.ascontiguousarray(array).view(_WORDS[array.dtype.itemsize]).reshape(array.shape)
    bits = element_bits(kind)
    if bits < 8:
        packed = _pack(words.reshape(-1), bits)
        words = np.zeros(array.shape, np.uint8)
        words.reshape(-1)[: packed.size] = packed
    return runtime.OrtValue.ortvalue_from_numpy_with_onnx_type(words, kind)


def from_value(value: Any) -> NDArray[Any]:
    """Return ONNX Runtime's own value as an array."""
    dtype = np.dtype(tensor_dtype_to_np_dtype(value.element_type()))
    if dtype.isbuiltin != _REGISTERED:
        array: NDArray[Any] = value.numpy()
        return array
    shape, bits = tuple(value.shape()), element_bits(value.element_type())
    count = math.prod(shape)
    size = (count * bits + 7) // 8
    if not size:
        return np.zeros(shape, dtype)
    raw = np.frombuffer((ctypes.c_uint8 * size).from_address(value.data_ptr()), np.uint8).copy()
    words = _unpack(raw, bits, count) if bits < 8 else raw
    return words.view(dtype).reshape(shape)


def _pack(words: NDArray[Any], bits: int) -> NDArray[np.uint8]:
    each = 8 // bits
    padded = np.zeros(-(-words.size // each) * each, np.uint8)
    padded[: words.size] = words & (2**bits - 1)
    shifts = np.arange(each, dtype=np.uint8) * bits
    packed: NDArray[np.uint8] = np.bitwise_or.reduce(padded.reshape(-1, each) << shifts, axis=1)
    return packed


def _unpack(raw: NDArray[np.uint8], bits: int, count: int) -> NDArray[np.uint8]:
    shifts = np.arange(8 // bits, dtype=np.uint8) * bits
    words: NDArray[np.uint8] = (raw[:, None] >> shifts) & np.uint8(2**bits - 1)
    return words.reshape(-1)[:count]

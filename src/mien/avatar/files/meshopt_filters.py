"""The filters of EXT_meshopt_compression, undone: what decoded bytes stand for (appendix B)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.errors import CorruptError

Bytes = NDArray[np.uint8]

_PLACES = np.array([[1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2], [0, 1, 2, 3]])


def octahedral(rows: Bytes) -> Bytes:
    """Unfold unit vectors, three of four integers of 8 or 16 bits."""
    kind: Any = {4: np.int8, 8: np.int16}.get(rows.shape[1])
    if kind is None:
        raise CorruptError(f"its octahedral normals are {rows.shape[1]} bytes wide; valid: 4 or 8")
    values = np.ascontiguousarray(rows).view(kind).astype(np.float64)
    x, y = values[:, 0].copy(), values[:, 1].copy()
    z = values[:, 2] - np.abs(x) - np.abs(y)
    fold = np.minimum(z, 0)
    x, y = x + np.where(x >= 0, fold, -fold), y + np.where(y >= 0, fold, -fold)
    scale = np.iinfo(kind).max / np.maximum(np.sqrt(x * x + y * y + z * z), 1e-9)
    values[:, :3] = _rounded(np.stack([x, y, z], 1) * scale[:, None])
    return np.ascontiguousarray(values.astype(kind)).view(np.uint8)


def quaternion(rows: Bytes) -> Bytes:
    """Restore the largest component of unit quaternions, four integers of 16 bits."""
    if rows.shape[1] != 8:
        raise CorruptError(f"its quaternions are {rows.shape[1]} bytes wide; valid: 8")
    values = np.ascontiguousarray(rows).view(np.int16)
    scale = 0.5**0.5 / (values[:, 3].astype(np.int32) | 3)
    small = values[:, :3] * scale[:, None]
    largest = np.sqrt(np.maximum(1 - (small * small).sum(1), 0))
    whole = _rounded(np.c_[small, largest] * 32767)
    out = np.zeros(values.shape, np.int16)
    np.put_along_axis(out, _PLACES[values[:, 3] & 3], np.clip(whole, -32768, 32767).astype(np.int16), axis=1)
    return out.view(np.uint8)


def exponential(rows: Bytes) -> Bytes:
    """Turn integers with an exponent of 8 and a mantissa of 24 bits into floats."""
    values = np.ascontiguousarray(rows).view(np.int32)
    with np.errstate(over="ignore"):
        floats = np.ldexp((values << 8 >> 8).astype(np.float32), values >> 24)
    return np.ascontiguousarray(floats.astype(np.float32)).view(np.uint8)


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.trunc(values + np.copysign(0.5, values)))


FILTERS: dict[str, Callable[[Bytes], Bytes]] = {
    "NONE": lambda rows: rows,
    "OCTAHEDRAL": octahedral,
    "QUATERNION": quaternion,
    "EXPONENTIAL": exponential,
}

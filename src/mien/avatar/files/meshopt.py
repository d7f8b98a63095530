"""The vertex codec of EXT_meshopt_compression (version 0) and its codec for sequences of indices.

Bytes of like place are coded together as differences from row to row, sixteen at a time, each group with
0, 2, 4 or 8 bits a difference (specification of the extension, appendix A).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.errors import CorruptError

Bytes = NDArray[np.uint8]

ATTRIBUTES, SEQUENCE = 0xA0, 0xD1  # headers
GROUP, BLOCK_BYTES, BLOCK_ROWS, TAIL = 16, 8192, 256, 32
WIDEST = 256  # bytes of a row
_BITS = (0, 2, 4, 8)


def block_rows(stride: int) -> int:
    """Return how many rows of `stride` bytes one block holds."""
    return min(BLOCK_BYTES // stride // GROUP * GROUP, BLOCK_ROWS)


def encode(rows: Bytes) -> bytes:
    """Encode rows (N, stride) of bytes; the stride is a multiple of four, at most 256."""
    count, stride = rows.shape
    step, first = block_rows(stride), rows[:1] if count else np.zeros((1, stride), np.uint8)
    differences = np.diff(rows, axis=0, prepend=first)
    folded: Bytes = np.asarray((differences << 1) ^ -(differences >> 7), np.uint8)
    blocks = [_block(folded[start : start + step]) for start in range(0, count, step)]
    tail = bytes(max(TAIL - stride, 0)) + first.tobytes()
    return bytes([ATTRIBUTES]) + b"".join(blocks) + tail


def _block(rows: Bytes) -> bytes:
    """Encode up to 256 rows of folded differences: by byte place, group headers and groups."""
    groups = -(-len(rows) // GROUP)
    if not rows.any():
        return bytes(rows.shape[1] * -(-groups // 4))
    padded = np.zeros((groups * GROUP, rows.shape[1]), np.uint8)
    padded[: len(rows)] = rows
    places = padded.T.reshape(-1, groups, GROUP)
    coded, lengths = zip(*(_group(places, bits) for bits in _BITS), strict=True)
    mode = np.argmin(np.stack(lengths), axis=0)  # (stride, groups)
    filled = np.zeros((len(mode), -(-groups // 4) * 4), np.uint8)
    filled[:, :groups] = mode
    headers = (filled.reshape(len(mode), -1, 4) << np.array([0, 2, 4, 6], np.uint8)).sum(2, dtype=np.uint8)
    out = []
    for place, header in enumerate(headers):
        out.append(header.tobytes())
        for group in np.flatnonzero(mode[place]).tolist():
            chosen = mode[place, group]
            out.append(coded[chosen][place, group, : lengths[chosen][place, group]].tobytes())
    return b"".join(out)


def _group(values: Bytes, bits: int) -> tuple[Bytes, NDArray[np.int64]]:
    """Return groups (..., 16) coded with so many bits (..., at most 24), and their lengths."""
    shape = values.shape[:-1]
    if bits == 8:
        return values, np.full(shape, GROUP)
    if bits == 0:
        return values[..., :0], np.where(values.any(axis=-1), 99, 0)
    most, whole = (1 << bits) - 1, 8 // bits
    small = np.minimum(values, most).reshape(*shape, -1, whole)
    shifts = np.arange(whole - 1, -1, -1, dtype=np.uint8) * np.uint8(bits)
    packed = np.bitwise_or.reduce(small << shifts, axis=-1)
    large = values >= most
    order = np.argsort(~large, axis=-1, kind="stable")
    data = np.concatenate([packed, np.take_along_axis(values, order, axis=-1)], axis=-1)
    return data, packed.shape[-1] + large.sum(axis=-1)


def decode(data: bytes, count: int, stride: int) -> Bytes:
    """Decode (count, stride) bytes; raises `CorruptError` when the data is not what it says."""
    if not data or data[0] != ATTRIBUTES:
        raise CorruptError("its compressed vertices are not of meshopt's version 0; export it again")
    tail = max(stride, TAIL)
    if len(data) < 1 + tail:
        raise CorruptError("its compressed vertices are cut short")
    end, place, step = len(data) - tail, 1, block_rows(stride)
    folded = np.zeros((count, stride), np.uint8)
    for start in range(0, count, step):
        rows = min(step, count - start)
        place = _decode_block(data, place, end, folded[start : start + rows])
    if place != end:
        raise CorruptError("its compressed vertices have bytes left over")
    first = np.frombuffer(data, np.uint8, stride, len(data) - stride)
    differences = (folded >> 1) ^ -(folded & 1)
    return np.asarray(first + np.cumsum(differences, axis=0, dtype=np.uint8), np.uint8)


def _decode_block(data: bytes, place: int, end: int, out: Bytes) -> int:
    """Fill `out` (rows, stride) from `place` on; returns where it ended."""
    groups = -(-len(out) // GROUP)
    for column in range(out.shape[1]):
        header = data[place : place + -(-groups // 4)]
        place += -(-groups // 4)
        if place > end:
            raise CorruptError("its compressed vertices are cut short")
        if not any(header):
            continue
        for group in range(groups):
            bits = _BITS[header[group >> 2] >> 2 * (group & 3) & 3]
            if bits:
                values, place = _decode_group(data, place, end, bits)
                target = out[group * GROUP : (group + 1) * GROUP, column]
                target[:] = values[: len(target)]
    return place


def _decode_group(data: bytes, place: int, end: int, bits: int) -> tuple[Bytes, int]:
    packed = np.frombuffer(data[place : place + 2 * bits], np.uint8)
    place += 2 * bits
    if place > end:
        raise CorruptError("its compressed vertices are cut short")
    if bits == 8:
        return packed, place
    most = (1 << bits) - 1
    shifts = np.arange(8 - bits, -1, -bits, dtype=np.uint8)
    values = ((packed[:, None] >> shifts) & np.uint8(most)).ravel()
    large = np.flatnonzero(values == most)
    if place + len(large) > end:
        raise CorruptError("its compressed vertices are cut short")
    values[large] = np.frombuffer(data, np.uint8, len(large), place)
    return values, place + len(large)


def decode_sequence(data: bytes, count: int) -> NDArray[np.uint32]:
    """Decode a sequence of `count` indices (mode INDICES)."""
    if not data or data[0] != SEQUENCE or len(data) < 1 + count + 4:
        raise CorruptError("its compressed indices are cut short, or of another version")
    out, last, place = np.zeros(count, np.uint32), [0, 0], 1
    for i in range(count):
        value, place = read_number(data, place)
        which, value = value & 1, value >> 1
        last[which] = (last[which] + ((value >> 1) ^ -(value & 1))) & 0xFFFFFFFF
        out[i] = last[which]
    return out


def read_number(data: bytes, place: int) -> tuple[int, int]:
    """Read a number of 7 bits a byte, lowest first; returns it and where it ended."""
    value = 0
    for shift in range(0, 35, 7):
        if place >= len(data):
            raise CorruptError("its compressed indices are cut short")
        byte, place = data[place], place + 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, place
    raise CorruptError("its compressed indices hold a number that is too long")

"""The triangle codec of EXT_meshopt_compression (version 1): each triangle in about two bytes.

A triangle is told by an edge of the last sixteen and a vertex of the last sixteen, by the next new vertex,
or by differences (specification of the extension, appendix A, mode TRIANGLES).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.files.meshopt import read_number
from mien.errors import CorruptError

HEADER = 0xE1
FIFO, OFTEN = 16, 13  # entries; references below `OFTEN` are told by the code itself
_TABLE = bytes.fromhex("007687566778a9866589689801690000")
_ORDER = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


class _State:
    """What encoder and decoder remember alike: recent edges and vertices, the next new vertex, the last."""

    def __init__(self) -> None:
        self.edges: list[tuple[int, int]] = [(-1, -1)] * FIFO  # newest first
        self.vertices: list[int] = [-1] * FIFO
        self.next = self.last = 0

    def edge(self, *ends: int) -> None:
        self.edges.insert(0, (ends[0], ends[1]))
        self.edges.pop()

    def vertex(self, index: int) -> None:
        self.vertices.insert(0, index)
        self.vertices.pop()

    def new(self) -> int:
        self.next += 1
        return self.next - 1


def encode(triangles: NDArray[np.integer]) -> bytes:
    """Encode triangles (F, 3); decoding may begin a triangle at another of its corners."""
    state, codes, data = _State(), bytearray(), bytearray()
    for triangle in triangles.tolist():
        found = _known_edge(state, triangle)
        if found is None:
            codes.append(_whole(state, triangle, data))
        else:
            codes.append(_beside(state, triangle, *found, data))
    return bytes([HEADER]) + bytes(codes) + bytes(data) + _TABLE


def _known_edge(state: _State, triangle: list[int]) -> tuple[int, int] | None:
    """Return which recent edge a triangle has, and at which corner it begins."""
    pairs = [(triangle[order[0]], triangle[order[1]]) for order in _ORDER]
    for place, edge in enumerate(state.edges[: FIFO - 1]):
        if edge in pairs:
            return place, pairs.index(edge)
    return None


def _beside(state: _State, triangle: list[int], place: int, turn: int, data: bytearray) -> int:
    a, b, c = (triangle[i] for i in _ORDER[turn])
    recent = state.vertices.index(c) if c in state.vertices else -1
    if 1 <= recent < OFTEN:
        code = recent
    elif c == state.next:
        code = 0
        state.new()
    elif c in (state.last - 1, state.last + 1):
        code = OFTEN if c < state.last else OFTEN + 1
        state.last = c
    else:
        code = 15
        _write_index(state, c, data)
    if code == 0 or code >= OFTEN:
        state.vertex(c)
    state.edge(c, b)
    state.edge(a, c)
    return place << 4 | code


def _whole(state: _State, triangle: list[int], data: bytearray) -> int:
    turn = triangle.index(state.next) if state.next in triangle else 0
    corners = [triangle[i] for i in _ORDER[turn]]
    reset = corners == [0, 1, 2] and state.next > 0
    if reset:
        state.next, state.vertices = 0, [-1] * FIFO
    codes = [_code(state, corner, first=i == 0) for i, corner in enumerate(corners)]
    pair = codes[1] << 4 | codes[2]
    short = _TABLE[:14].find(pair)
    if codes[0] == 0 and short >= 0 and not reset:
        code = 0xF0 | short
    else:
        code = 0xFE | (codes[0] == 15)
        data.append(pair)
    for corner, how in zip(corners, codes, strict=True):
        if how == 15:
            _write_index(state, corner, data)
    _remember(state, corners, codes)
    return code


def _code(state: _State, corner: int, *, first: bool) -> int:
    """Return 0: the next new vertex; 15: told by a difference; else one more than its place."""
    place = state.vertices.index(corner) if corner in state.vertices and not first else FIFO
    if place < 14:
        return place + 1
    if corner != state.next:
        return 15
    state.new()
    return 0


def _remember(state: _State, corners: list[int], codes: list[int]) -> None:
    for corner, how in zip(corners, codes, strict=True):
        if how in (0, 15):
            state.vertex(corner)
    a, b, c = corners
    for edge in ((b, a), (c, b), (a, c)):
        state.edge(*edge)


def _write_index(state: _State, index: int, data: bytearray) -> None:
    difference, state.last = index - state.last, index
    value = (difference << 1) ^ (difference >> 31)
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)


def decode(data: bytes, count: int) -> NDArray[np.uint32]:
    """Decode `count` indices of triangles; raises `CorruptError` when the data is not what it says."""
    faces = count // 3
    if count % 3 or len(data) < 1 + faces + len(_TABLE) or data[0] != HEADER:
        raise CorruptError("its compressed triangles are cut short, or of another version")
    state, place, table = _State(), 1 + faces, data[-len(_TABLE) :]
    body, out = data[: -len(_TABLE)], np.zeros(count, np.uint32)
    for i in range(faces):
        code = data[1 + i]
        if code < 0xF0:
            corners, place = _decode_beside(state, code, body, place)
        else:
            corners, place = _decode_whole(state, code, table, body, place)
        out[3 * i : 3 * i + 3] = [corner & 0xFFFFFFFF for corner in corners]
    if place != len(body):
        raise CorruptError("its compressed triangles have bytes left over")
    return out


def _decode_beside(state: _State, code: int, data: bytes, place: int) -> tuple[list[int], int]:
    (a, b), how = state.edges[code >> 4], code & 15
    if how == 15:
        c, place = _read_index(state, data, place)
    elif how >= OFTEN:
        state.last = c = state.last + (1 if how > OFTEN else -1)
    else:
        c = state.vertices[how] if how else state.new()
    if how == 0 or how >= OFTEN:
        state.vertex(c)
    state.edge(c, b)
    state.edge(a, c)
    return [a, b, c], place


def _decode_whole(state: _State, code: int, table: bytes, data: bytes, place: int) -> tuple[list[int], int]:
    if code < 0xFE:
        pair = table[code & 15]
    else:
        if place >= len(data):
            raise CorruptError("its compressed triangles are cut short")
        pair, place = data[place], place + 1
        if pair == 0:
            state.next = 0
    codes = [15 if code == 0xFF else 0, pair >> 4, pair & 15]
    recent = [state.vertices[how - 1] if how not in (0, 15) else 0 for how in codes]
    corners = [known if how else state.new() for how, known in zip(codes, recent, strict=True)]
    for i, how in enumerate(codes):
        if how == 15:
            corners[i], place = _read_index(state, data, place)
    _remember(state, corners, codes)
    return corners, place


def _read_index(state: _State, data: bytes, place: int) -> tuple[int, int]:
    value, place = read_number(data, place)
    state.last = (state.last + ((value >> 1) ^ -(value & 1))) & 0xFFFFFFFF
    return state.last, place

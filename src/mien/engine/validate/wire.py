"""Counts what a model file holds without parsing it: the fields are walked, their contents skipped.

The wire format is protobuf's (https://protobuf.dev/programming-guides/encoding/): a field is a varint
`number << 3 | type`, then a varint, 4 or 8 bytes, or a length and that many bytes. The field numbers
are those of `onnx.proto`. Memory and depth do not grow with the file.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mien.engine.validate.finding import Finding, error
from mien.engine.validate.limits import Limits

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MAX_VARINT = 10  # bytes

# Message → its fields that are messages to walk into.
_FIELDS: Final[Mapping[str, Mapping[int, str]]] = {
    "model": {7: "graph", 25: "function", 20: "training"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}


@dataclass(slots=True)
class Census:
    """What a file holds; `nesting` is the deepest graph inside graphs, the main graph being 0."""

    messages: int = 0
    nodes: int = 0
    tensors: int = 0
    nesting: int = 0
    graphs: int = 0


@dataclass(slots=True)
class _Frame:
    kind: str
    at: int
    end: int
    depth: int


class Broken(Exception):  # noqa: N818 - a finding in the making
    """The bytes do not follow the wire format; says where and why."""


def count(path: Path, limits: Limits) -> tuple[Census, list[Finding]]:
    """Walk a file that is not empty; return what it holds and what is against the limits.

    The walk ends at the first limit that is passed, or at the first byte that is wrong.
    """
    census = Census()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        try:
            for _ in _walk(data, census):
                if over := _over(census, limits):
                    return census, [over]
        except Broken as broken:
            remedy = "fetch the file again and compare its size and sha256 with the source's"
            return census, [error("broken-file", str(broken), remedy)]
    if not census.graphs:
        return census, [error("no-graph", "the file holds no graph", "give an ONNX model")]
    return census, []


def _over(census: Census, limits: Limits) -> Finding | None:
    if census.nodes > limits.nodes:
        what = f"the model has more than {limits.nodes:,} nodes"
        return error("too-many-nodes", what, "simplify the export (unrolled loops?) or split the model")
    if census.nesting > limits.nesting:
        what = f"graphs are nested more than {limits.nesting} deep (If, Loop or Scan inside each other)"
        return error("nested-too-deep", what, "resolve the constant conditions before exporting")
    if census.messages > limits.messages:
        what = f"the file has more than {limits.messages:,} parts"
        return error("too-many-parts", what, "no real model has so many; do not trust the file")
    return None


def _walk(data: mmap.mmap, census: Census) -> Iterator[None]:
    """Count all messages, depth first, yielding after each field; the stack is as deep as the nesting."""
    stack = [_Frame("model", 0, len(data), 0)]
    while stack:
        frame = stack[-1]
        if frame.at >= frame.end:
            stack.pop()
            continue
        number, start, frame.at = _field(data, frame.at, frame.end)
        census.messages += 1
        kind = _FIELDS[frame.kind].get(number) if start >= 0 else None
        if kind is not None:
            depth = frame.depth + (kind == "graph" and frame.kind == "attribute")
            _tally(census, kind, depth)
            stack.append(_Frame(kind, start, frame.at, depth))
        yield


def _tally(census: Census, kind: str, depth: int) -> None:
    census.nodes += kind == "node"
    census.tensors += kind == "tensor"
    census.graphs += kind == "graph"
    census.nesting = max(census.nesting, depth)


def _field(data: mmap.mmap, at: int, end: int) -> tuple[int, int, int]:
    """Return a field's number, where its bytes begin (-1 when it holds a number), and where it ends."""
    began = at
    key, at = _varint(data, at, end)
    number, kind = key >> 3, key & 7
    start = -1
    if kind == _VARINT:
        _, at = _varint(data, at, end)
    elif kind == _BYTES:
        length, start = _varint(data, at, end)
        at = start + length
    elif kind in (_FIXED64, _FIXED32):
        at += 8 if kind == _FIXED64 else 4
    if number == 0 or kind not in (_VARINT, _FIXED64, _BYTES, _FIXED32):
        raise Broken(f"byte {began:,} begins no ONNX field: the file is damaged, or no ONNX model")
    if at > end:
        raise Broken(
            f"the file is cut short: field {number} at byte {began:,} needs {at - began:,} bytes, "
            f"{end - began:,} are there"
        )
    return number, start, at


def _varint(data: mmap.mmap, at: int, end: int) -> tuple[int, int]:
    """Return a variable-length number and where it ends."""
    value = shift = 0
    for i in range(_MAX_VARINT):
        if at + i >= end:
            raise Broken(f"the file is cut short at byte {end:,}")
        byte = data[at + i]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at + i + 1
        shift += 7
    raise Broken(f"byte {at:,} begins no ONNX field: the file is damaged, or no ONNX model")

"""The numbers of a glTF file: accessors, sparse and compressed ones too, never outside their buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.files import meshopt, meshopt_triangles
from mien.avatar.files.container import Source
from mien.avatar.files.fields import Table
from mien.avatar.files.meshopt_filters import FILTERS
from mien.errors import CorruptError, InputError

Numbers = NDArray[Any]
Doubles = NDArray[np.float64]

KINDS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
MOST_BYTES = 1_000_000_000  # of all that one file is unpacked to
MOST_ROWS = 8_000_000  # of one accessor
_WIDE = 8  # bytes of a number once it is read
_COMPRESSED = ("EXT_meshopt_compression", "KHR_meshopt_compression")


class Accessors:
    """Reads the accessors of one file, keeping count of how much it has unpacked."""

    def __init__(self, source: Source) -> None:
        self._source, self._root = source, source.root
        self._unpacked = 0
        self._unpacked_views: dict[int, bytes] = {}

    def floats(self, index: int, kind: str) -> Doubles:
        """Return an accessor of `kind` (`VEC3`) as numbers (N, k), normalised ones in [-1, 1].

        Raises `CorruptError` for anything that does not fit or is not finite, `InputError` beyond the limits.
        """
        rows, entry = self._rows(index, kind), self._root.row("accessors", index)
        values = rows.astype(np.float64)
        if entry.flag("normalized") and rows.dtype.kind in "iu":
            values = np.maximum(values / np.iinfo(rows.dtype).max, -1)
        if not np.isfinite(values).all():
            raise CorruptError(f"{entry.where}: holds numbers that are not finite; export the file again")
        return values

    def kind(self, index: int) -> str:
        """Return an accessor's kind, such as `VEC3`; "" where there is none of that index."""
        rows = self._root.tables("accessors")
        return rows[index].text("type") if index < len(rows) else ""

    def wholes(self, index: int, kind: str) -> NDArray[np.int64]:
        """Return an accessor of whole numbers (N, k)."""
        rows = self._rows(index, kind)
        if rows.dtype.kind not in "iu":
            where = self._root.row("accessors", index).where
            raise CorruptError(f"{where}: holds floats; it must hold whole numbers; export the file again")
        return rows.astype(np.int64)

    def _rows(self, index: int, kind: str) -> Numbers:
        entry = self._root.row("accessors", index)
        if entry.text("type") != kind:
            entry.wrong("type", kind)
        count, dtype = entry.whole("count", low=1, high=2**53), self._kind(entry)
        if count > MOST_ROWS:
            raise InputError(f"{entry.where}: {count:,} rows; the most is {MOST_ROWS:,}; simplify the mesh")
        width = WIDTHS[kind]
        self._spend(entry, count * width * _WIDE)
        if "bufferView" in entry:
            offset = entry.whole("byteOffset", 0)
            rows = self._strided(entry, entry.whole("bufferView"), offset, count, width, dtype)
        else:
            rows = np.zeros((count, width), dtype)
        return self._fill(entry.table("sparse"), rows) if "sparse" in entry else rows

    def _kind(self, entry: Table) -> np.dtype[Any]:
        code = entry.whole("componentType")
        return (
            np.dtype(KINDS[code]) if code in KINDS else entry.wrong("componentType", f"one of {list(KINDS)}")
        )

    def _spend(self, entry: Table, size: int) -> None:
        self._unpacked += size
        if self._unpacked > MOST_BYTES:
            raise InputError(
                f"{entry.where}: the file unpacks to more than {MOST_BYTES / 1e6:,.0f} MB; simplify it"
            )

    def _strided(
        self, entry: Table, view: int, offset: int, count: int, width: int, dtype: np.dtype[Any]
    ) -> Numbers:
        """Return rows of a buffer view, wherever they lie in it."""
        data, size = self.view(view), width * dtype.itemsize
        stride = self._root.row("bufferViews", view).whole("byteStride", size, low=1, high=meshopt.WIDEST)
        if stride < size or offset + stride * (count - 1) + size > len(data):
            raise CorruptError(
                f"{entry.where}: {count:,} rows end outside bufferViews[{view}] of {len(data):,} bytes"
            )
        wide = np.lib.stride_tricks.as_strided(
            np.frombuffer(data, np.uint8, offset=offset), (count, size), (stride, 1), writeable=False
        )
        return np.ascontiguousarray(wide).view(dtype.newbyteorder("<")).reshape(count, width).copy()

    def _fill(self, sparse: Table, rows: Numbers) -> Numbers:
        count = sparse.whole("count", low=0, high=len(rows))
        if not count:
            return rows
        about, values = sparse.table("indices"), sparse.table("values")
        places = self._strided(
            about, about.whole("bufferView"), about.whole("byteOffset", 0), count, 1, self._kind(about)
        )[:, 0]
        if places.dtype.kind != "u" or int(places.max()) >= len(rows):
            raise CorruptError(f"{about.where}: names row {places.max():,} of {len(rows):,}; export it again")
        rows[places] = self._strided(
            values,
            values.whole("bufferView"),
            values.whole("byteOffset", 0),
            count,
            rows.shape[1],
            rows.dtype,
        )
        return rows

    def view(self, index: int) -> bytes:
        """Return a buffer view's bytes, unpacked; only what took work to unpack is kept."""
        if index in self._unpacked_views:
            return self._unpacked_views[index]
        entry = self._root.row("bufferViews", index)
        extensions = entry.table("extensions")
        packed = next((extensions.table(name) for name in _COMPRESSED if name in extensions), None)
        if packed is None:
            return self._slice(entry)
        self._unpacked_views[index] = self._unpack(entry, packed)
        return self._unpacked_views[index]

    def _slice(self, entry: Table) -> bytes:
        number, offset, length = (
            entry.whole("buffer"),
            entry.whole("byteOffset", 0),
            entry.whole("byteLength"),
        )
        if number >= len(self._source.buffers):
            raise CorruptError(f"{entry.where}: no buffers[{number}]; export the file again")
        data = self._source.buffers[number]
        if offset + length > len(data):
            raise CorruptError(
                f"{entry.where}: ends at byte {offset + length:,}, buffers[{number}] at {len(data):,}"
            )
        return data[offset : offset + length]

    def _unpack(self, entry: Table, packed: Table) -> bytes:
        data, mode = self._slice(packed), packed.text("mode")
        count, stride = packed.whole("count"), packed.whole("byteStride", low=2, high=meshopt.WIDEST)
        self._spend(entry, count * stride)
        if count * stride < entry.whole("byteLength"):
            raise CorruptError(f"{entry.where}: shorter unpacked than it says; export the file again")
        try:
            if mode == "ATTRIBUTES" and stride % 4 == 0:
                rows = meshopt.decode(data, count, stride)
                if (name := packed.text("filter", "NONE")) not in FILTERS:
                    packed.wrong("filter", " or ".join(FILTERS))
                return FILTERS[name](rows).tobytes()
            if mode in ("TRIANGLES", "INDICES") and stride in (2, 4):
                decode = meshopt_triangles.decode if mode == "TRIANGLES" else meshopt.decode_sequence
                return decode(data, count).astype(f"<u{stride}").tobytes()
        except CorruptError as error:
            raise CorruptError(f"{entry.where}: {error}") from None
        return packed.wrong("mode", "ATTRIBUTES, TRIANGLES or INDICES with a fitting byteStride")

"""The container of glTF 2.0: JSON, one binary buffer, accessors over it (Khronos, glTF 2.0 specification).

Vertices, triangles and times may be compressed (EXT_meshopt_compression).
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.files import meshopt, meshopt_triangles

Json = dict[str, Any]
Numbers = NDArray[Any]

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
VERTICES, INDICES = 34962, 34963  # buffer view targets
SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
QUANTISED, MESHOPT = "KHR_mesh_quantization", "EXT_meshopt_compression"
MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942


class Document:
    """A glTF document that grows: `json` is its object, binary data is added through the methods.

    With `quantise`, coordinates and directions are integers; with `compress`, what the meshopt codecs can
    take is compressed by them. Without both the file needs no extension.
    """

    def __init__(
        self,
        copyright: str,  # noqa: A002  # glTF's own word
        *,
        quantise: bool = True,
        compress: bool = False,
    ) -> None:
        used = [name for name, on in ((QUANTISED, quantise), (MESHOPT, compress)) if on]
        self.json: Json = {
            "asset": {"version": "2.0", "generator": "mien", "copyright": copyright},
            **({"extensionsUsed": used, "extensionsRequired": list(used)} if used else {}),
            **{
                name: [] for name in ("meshes", "materials", "accessors", "bufferViews", "images", "textures")
            },
        }
        self.quantise, self.compress = quantise, compress
        self._binary = bytearray()
        self._unpacked = 0  # bytes of the compressed views as they will be read
        self._zeros: dict[tuple[int, str], int] = {}
        self._pooled: dict[int, list[tuple[Json, Numbers]]] = {}  # by bytes of a row

    @property
    def binary(self) -> bytes:
        """The binary chunk as it will be written."""
        return bytes(self._binary) + bytes(-len(self._binary) % 4)

    def coordinates(self, rows: Numbers, scale: float) -> Numbers:
        """Return positions as they are stored: shares of `scale` in 16 bits, or floats."""
        return np.round(rows / scale * 32767).astype(np.int16) if self.quantise else rows.astype(np.float32)

    def directions(self, rows: Numbers) -> Numbers:
        """Return normals as they are stored: in 8 bits, or as floats."""
        if not self.quantise:
            return rows.astype(np.float32)
        return np.clip(np.round(rows * 127), -127, 127).astype(np.int8)

    def view(self, data: bytes, **about: int) -> int:
        """Add bytes as a buffer view, aligned to four; returns its index."""
        self._binary.extend(bytes(-len(self._binary) % 4))
        view = {"buffer": 0, "byteOffset": len(self._binary), "byteLength": len(data), **about}
        self._binary.extend(data)
        self.json["bufferViews"].append(view)
        return len(self.json["bufferViews"]) - 1

    def packed(self, coded: bytes, mode: str, shape: tuple[int, int], about: Json) -> int:
        """Add a compressed buffer view: `coded` holds `shape` = (rows, bytes of a row) in `mode`."""
        index = self.view(coded)
        view = self.json["bufferViews"][index]
        codec = {**view, "byteStride": shape[1], "mode": mode, "count": shape[0]}
        self._unpacked += -self._unpacked % 4
        place = {"buffer": 1, "byteOffset": self._unpacked, "byteLength": shape[0] * shape[1]}
        view |= {**place, **about, "extensions": {MESHOPT: codec}}
        self._unpacked += place["byteLength"]
        return index

    def accessor(
        self, rows: Numbers, kind: str | None = None, *, normalized: bool = False, **about: int
    ) -> int:
        """Add rows (N,) or (N, k) as an accessor with its bounds; `about` goes to the buffer view."""
        flat = rows.reshape(len(rows), -1)
        stride = flat.dtype.itemsize * flat.shape[1]
        data = np.frombuffer(flat.tobytes(), np.uint8).reshape(len(flat), stride)
        if about.get("target") == VERTICES:
            data = np.pad(data, ((0, 0), (0, -stride % 4)))
            if stride % 4 or self.compress:
                about["byteStride"] = data.shape[1]
        if self.compress and data.shape[1] % 4 == 0 and data.shape[1] <= meshopt.WIDEST:
            view = self.packed(meshopt.encode(data), "ATTRIBUTES", data.shape, about)
        else:
            view = self.view(data.tobytes(), **about)
        entry = _describe(flat, kind, normalized=normalized)
        return self._add({"bufferView": view, **entry, **_bounds(flat)})

    def vertices(self, rows: Numbers, *, plain: bool = False) -> int:
        """Add a vertex attribute (V, k): integers stand for [-1, 1] or [0, 1] unless `plain`."""
        return self.accessor(rows, normalized=not plain, target=VERTICES)

    def indices(self, triangles: Numbers) -> int:
        """Add triangles (F, 3), in 16 bits when they fit."""
        kind = np.uint16 if triangles.max(initial=0) < 65535 else np.uint32
        flat = np.ascontiguousarray(triangles.reshape(-1, 1).astype(kind))
        if not self.compress:
            return self.accessor(flat, target=INDICES)
        coded = meshopt_triangles.encode(triangles)
        view = self.packed(coded, "TRIANGLES", (len(flat), flat.itemsize), {"target": INDICES})
        return self._add({"bufferView": view, **_describe(flat, None, normalized=False), **_bounds(flat)})

    def places(self, indices: Numbers, count: int) -> Json:
        """Add which of `count` rows sparse accessors fill; several may share them."""
        numbers = indices.astype(np.uint16 if count < 65536 else np.uint32)
        return {
            "bufferView": self.view(numbers.tobytes()),
            "componentType": COMPONENTS[numbers.dtype.str[1:]],
        }

    def sparse(self, count: int, places: Json | None, rows: Numbers) -> int:
        """Add an accessor of `count` normalised rows, zero but for `rows` (k, 3) at `places`.

        Without `places` the rows are all of them (then they may be compressed), or all are zero.
        """
        whole = rows if len(rows) == count else np.concatenate([rows, np.zeros((1, 3), rows.dtype)])
        entry = {**_describe(whole, None, normalized=True), "count": count, **_bounds(whole)}
        if places is None and len(rows):
            return self._pool(rows) if self.compress else self.vertices(rows)
        if places is None:
            key = count, rows.dtype.str
            if key not in self._zeros:
                self._zeros[key] = self._add(entry)
            return self._zeros[key]
        values = {"bufferView": self.view(np.ascontiguousarray(rows).tobytes())}
        return self._add({**entry, "sparse": {"count": len(rows), "indices": places, "values": values}})

    def _pool(self, rows: Numbers) -> int:
        """Add rows (N, 3) as an accessor whose buffer view it shares with others: see `flush`."""
        stride = rows.dtype.itemsize * 3 + -rows.dtype.itemsize * 3 % 4
        data = np.zeros((len(rows), stride), np.uint8)
        data[:, : rows.dtype.itemsize * 3] = np.ascontiguousarray(rows).view(np.uint8)
        entry = _describe(rows, None, normalized=True)
        if rows.dtype != np.int8:  # of directions nobody asks the bounds
            entry |= _bounds(rows)
        self._pooled.setdefault(stride, []).append((entry, data))
        return self._add(entry)

    def flush(self) -> None:
        """Give the targets added since the last call one buffer view: one each would take much JSON."""
        for stride, pooled in self._pooled.items():
            data = np.concatenate([rows for _, rows in pooled])
            about = {"target": VERTICES, "byteStride": stride}
            view = self.packed(meshopt.encode(data), "ATTRIBUTES", data.shape, about)
            begins = np.cumsum([0, *(rows.size for _, rows in pooled)]).tolist()
            for (entry, _), begin in zip(pooled, begins, strict=False):
                entry |= {"bufferView": view, "byteOffset": begin}
        self._pooled.clear()

    def texture(self, data: bytes, mime: str) -> int:
        """Add an encoded picture as a texture."""
        self.json["images"].append({"bufferView": self.view(data), "mimeType": mime})
        self.json["textures"].append({"source": len(self.json["images"]) - 1})
        return len(self.json["textures"]) - 1

    def encode(self) -> bytes:
        """Return the document as GLB."""
        binary = self.binary
        self.json["buffers"] = [{"byteLength": len(binary)}]
        if self.compress:
            fallback = {"byteLength": self._unpacked, "extensions": {MESHOPT: {"fallback": True}}}
            self.json["buffers"].append(fallback)
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(binary)
        head = struct.pack("<III", MAGIC, VERSION, size)
        chunks = ((JSON_CHUNK, text), (BINARY_CHUNK, binary))
        return head + b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks)

    def _add(self, entry: Json) -> int:
        self.json["accessors"].append(entry)
        return len(self.json["accessors"]) - 1


def _describe(flat: Numbers, kind: str | None, *, normalized: bool) -> Json:
    entry: Json = {
        "componentType": COMPONENTS[flat.dtype.str[1:]],
        "count": len(flat),
        "type": kind or SHAPES[flat.shape[1]],
    }
    if normalized and flat.dtype.kind in "iu":
        entry["normalized"] = True
    return entry


def _bounds(flat: Numbers) -> Json:
    return {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}

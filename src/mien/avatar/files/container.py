"""glTF files on the way in: the container, strictly and with limits, since anyone may have made them."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

from mien.avatar.files.document import BINARY_CHUNK, JSON_CHUNK, MAGIC
from mien.avatar.files.fields import Table
from mien.contents import contents
from mien.errors import CorruptError, InputError

LARGEST_FILE = 512_000_000  # bytes, with all that lies beside it
LARGEST_JSON = 64_000_000
SUFFIXES = (".glb", ".vrm", ".gltf")
UNDERSTOOD = frozenset(  # of `extensionsRequired`
    """EXT_meshopt_compression KHR_meshopt_compression KHR_mesh_quantization KHR_texture_transform
    KHR_materials_unlit KHR_materials_emissive_strength KHR_materials_ior KHR_materials_specular
    KHR_materials_sheen KHR_materials_clearcoat KHR_materials_transmission VRM VRMC_vrm
    VRMC_materials_mtoon VRMC_springBone VRMC_node_constraint VRMC_materials_hdr_emissiveMultiplier""".split()
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its name, its JSON, its buffers (empty where the file has a fallback only)."""

    path: Path
    root: Table
    buffers: tuple[bytes, ...]
    size: int


def open_file(path: Path) -> Source:
    """Read a `.glb`, `.vrm` or `.gltf` file.

    Raises `MissingError` when it is not there, `InputError` for another suffix or for what is refused
    (addresses outside, files that are too large), `CorruptError` when it is not glTF 2.0.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: no head; valid: {', '.join(SUFFIXES)}")
    if path.is_file():
        _limit(path, path.stat().st_size)
    data = contents(path, "head")
    text, binary = _chunks(path, data)
    root = Table(_parse(path, text), path.name)
    version = root.table("asset").text("version")
    if version.split(".")[0] != "2":
        raise CorruptError(f"{path.name}: glTF version {version or 'unknown'}; export it as glTF 2.0")
    for name in root.texts("extensionsRequired"):
        if name not in UNDERSTOOD:
            raise InputError(f"{path.name}: needs {name!r}, which mien can not read; export it without")
    return Source(path, root, tuple(_buffers(path, root, binary, len(data))), len(data))


def _limit(path: Path, size: int) -> None:
    if size > LARGEST_FILE:
        raise InputError(
            f"{path.name}: {size / 1e6:,.0f} MB in all; the most is {LARGEST_FILE / 1e6:.0f} MB; simplify it"
        )


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    """Return the JSON text and the binary chunk."""
    if not data.startswith(b"glTF"):
        return data, None
    if len(data) < 20 or struct.unpack_from("<I", data)[0] != MAGIC:
        _broken(path, "cut short")
    version, total, length, kind = struct.unpack_from("<IIII", data, 4)
    if version != 2 or kind != JSON_CHUNK:
        _broken(path, f"a glTF binary of version {version}, or without its JSON first")
    if total != len(data) or 20 + length > total:
        _broken(path, f"says {total:,} bytes and has {len(data):,}")
    text, place = data[20 : 20 + length], 20 + length
    if place + 8 > total:
        return text, None
    length, kind = struct.unpack_from("<II", data, place)
    if place + 8 + length > total:
        _broken(path, f"its binary chunk says {length:,} bytes; {total - place - 8:,} are there")
    return text, data[place + 8 : place + 8 + length] if kind == BINARY_CHUNK else None


def _parse(path: Path, text: bytes) -> Mapping[str, Any]:
    if len(text) > LARGEST_JSON:
        raise InputError(
            f"{path.name}: {len(text) / 1e6:,.0f} MB of JSON; the most is {LARGEST_JSON / 1e6:.0f}"
        )

    def refuse(constant: str) -> NoReturn:
        _broken(path, f"its JSON holds {constant}")

    try:
        root = json.loads(text.decode("utf-8"), parse_constant=refuse)
    except RecursionError:
        _broken(path, "its JSON is nested without end")
    except ValueError as error:
        _broken(path, f"no JSON ({error})")
    if not isinstance(root, dict):
        _broken(path, "its JSON is no object")
    return root


def _broken(path: Path, what: str) -> NoReturn:
    raise CorruptError(f"{path.name} is not a sound glTF file: {what}; export it again")


def _buffers(path: Path, root: Table, binary: bytes | None, total: int) -> list[bytes]:
    """Return every buffer's bytes."""
    out: list[bytes] = []
    for number, buffer in enumerate(root.tables("buffers")):
        length, uri = buffer.whole("byteLength", low=1), buffer.uri()
        if uri:
            data = fetch(path, uri, f"{path.name}: buffers[{number}]")
        elif number == 0 and binary is not None:
            data = binary
        else:
            data = b""  # the unpacked form of what is compressed
            length = 0
        if len(data) < length:
            raise CorruptError(f"{path.name}: buffers[{number}] says {length:,} bytes and has {len(data):,}")
        total += len(data)
        _limit(path, total)
        out.append(data)
    return out


def fetch(path: Path, uri: str, where: str) -> bytes:
    """Return what a URI holds: data inside it, or a file beside `path`. Nothing else is opened."""
    if uri.startswith("data:"):
        _, found, body = uri.partition(";base64,")
        try:
            return (
                base64.b64decode(body, validate=True)
                if found
                else _refuse(where, "a data URI without base64")
            )
        except binascii.Error:
            raise CorruptError(f"{where}: its data URI is not base64; export it again") from None
    name = unquote(uri)
    if ":" in name or "\\" in name or "\0" in name or name.startswith("/") or ".." in name.split("/"):
        _refuse(where, f"{uri[:80]!r}, which is not a file beside it")
    file = path.parent / name
    if not file.resolve().is_relative_to(path.parent.resolve()):
        _refuse(where, f"{uri[:80]!r}, a link that leads elsewhere")
    if file.is_file():
        _limit(path, file.stat().st_size)
    return contents(file, f"file of {where}")


def beside(source: Source) -> Iterator[bytes]:
    """Yield all that a file refers to: its buffers and its pictures that are not inside the buffers."""
    yield from source.buffers
    for image in source.root.tables("images"):
        if uri := image.uri():
            yield fetch(source.path, uri, image.where)


def _refuse(where: str, what: str) -> NoReturn:
    raise InputError(f"{where} refers to {what}: refused; put all into one .glb file")

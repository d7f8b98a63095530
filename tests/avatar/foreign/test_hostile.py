"""Files that mean harm, or were broken on the way: each is refused with one line, in no time."""

from __future__ import annotations

import json
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mien.avatar import foreign
from mien.avatar.files.pictures import decode
from mien.errors import CorruptError, InputError, MienError

TARGETS = ["jawOpen", "eyeBlinkLeft", "eyeBlinkRight"]


def parse(data: bytes) -> tuple[dict[str, Any], bytes]:
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def build(root: Any, binary: bytes) -> bytes:
    text = root if isinstance(root, bytes) else json.dumps(root).encode()
    text += b" " * (-len(text) % 4)
    chunks = (
        struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x4E4942) + binary
    )
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


class Sound(bytes):
    """A sound head's bytes, which a failing test need not print."""

    def __repr__(self) -> str:
        return "Sound()"


@pytest.fixture(scope="module")
def sound(rig) -> bytes:
    return Sound(rig(TARGETS).encode())


def change(path: list[Any], value: Any) -> Callable[[dict[str, Any]], None]:
    """Return what sets one value of a document."""

    def do(root: Any) -> None:
        for step in path[:-1]:
            root = root[step]
        root[path[-1]] = value

    return do


def point_outside(uri: str) -> Callable[[dict[str, Any]], None]:
    return change(["buffers"], [{"byteLength": 9, "uri": uri}])


CASES = {
    "a circle of nodes": (change(["nodes", 2, "children"], [1, 2]), "hangs on two others|in a circle"),
    "a node that is its own child": (change(["nodes", 5, "children"], [5]), "in a circle"),
    "a child that is not there": (change(["nodes", 0, "children"], [99]), "no child 99"),
    "a giant accessor": (change(["accessors", 1, "count"], 10**9), "the most is 8,000,000"),
    "an accessor beyond all numbers": (change(["accessors", 1, "count"], 10**30), "must be a whole number"),
    "an accessor outside its view": (change(["accessors", 1, "count"], 10_000), "outside bufferViews"),
    "an offset outside": (change(["accessors", 1, "byteOffset"], 10**8), "outside bufferViews"),
    "a view outside its buffer": (change(["bufferViews", 1, "byteLength"], 10**9), "ends at byte"),
    "a view of no buffer": (change(["bufferViews", 1, "buffer"], 7), "no buffers"),
    "a negative length": (change(["bufferViews", 1, "byteLength"], -4), "must be a whole number"),
    "a sparse row outside": (
        change(["accessors", 1, "sparse"], {"count": 2, "indices": {"bufferView": 1, "componentType": 5125},
               "values": {"bufferView": 1}}), "names row",
    ),
    "numbers of no type": (change(["accessors", 1, "componentType"], 5124), "must be one of"),
    "a web address": (point_outside("http://example.org/a.bin"), "refused"),
    "a file above": (point_outside("../secret.bin"), "refused"),
    "a file above, encoded": (point_outside("%2e%2e/secret.bin"), "refused"),
    "an absolute file": (point_outside("/etc/passwd"), "refused"),
    "a drive": (point_outside("C:/secret.bin"), "refused"),
    "a broken data URI": (point_outside("data:application/octet-stream;base64,@@@"), "not base64"),
    "a file that is not there": (point_outside("none.bin"), "no file of"),
    "a mesh that is not there": (change(["nodes", 5, "mesh"], 44), "no meshes"),
    "bones that are not there": (change(["skins", 0, "joints"], [0, 999]), "bones that are not there"),
    "an extension that is needed": (change(["extensionsRequired"], ["KHR_draco"]), "export it without"),
    "another version": (change(["asset", "version"], "1.0"), "export it as glTF 2.0"),
    "a scale of nothing finite": (change(["nodes", 0, "scale"], [1e308, 1e308, 1e308]), "beyond all"),
    "text where a list belongs": (change(["nodes"], "none"), "must be a list"),
    "a texture that is not there": (
        change(["materials", 0, "pbrMetallicRoughness", "baseColorTexture", "index"], 9), "no textures",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_is_refused_with_one_line(sound, tmp_path, name):
    alter, message = CASES[name]
    root, binary = parse(sound)
    alter(root)
    path = tmp_path / "bad.glb"
    path.write_bytes(build(root, binary))
    with pytest.raises(MienError, match=message) as error:
        foreign.read(path)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_a_picture_elsewhere_is_refused_before_it_is_worn(sound, tmp_path):
    root, binary = parse(sound)
    root.setdefault("images", []).append({"uri": "/etc/passwd"})
    path = tmp_path / "bad.glb"
    path.write_bytes(build(root, binary))
    with pytest.raises(InputError, match="refused"):
        foreign.check(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"asset": {"version": "2.0"}, "scene": NaN}', "holds NaN"),
        (b'{"a":' * 200_000, "nested without end"),
        (b"[1, 2]", "no object"),
        (b'{"asset"', "no JSON"),
        (b"\xff\xfe", "no JSON"),
    ],
)
def test_text_that_is_no_document(tmp_path, text, message):
    path = tmp_path / "bad.glb"
    path.write_bytes(build(text, b""))
    with pytest.raises(CorruptError, match=message):
        foreign.check(path)


def test_not_a_number_among_positions(sound, tmp_path):
    root, binary = parse(sound)
    place = root["bufferViews"][root["accessors"][1]["bufferView"]]["byteOffset"]
    path = tmp_path / "bad.glb"
    path.write_bytes(build(root, binary[:place] + struct.pack("<f", float("nan")) + binary[place + 4 :]))
    with pytest.raises(CorruptError, match="not finite"):
        foreign.check(path)


@pytest.mark.parametrize("cut", [1, 19, 21, 4000])
def test_a_file_that_is_cut_short(sound, tmp_path, cut):
    path = tmp_path / "bad.glb"
    path.write_bytes(sound[:cut])
    with pytest.raises(MienError):
        foreign.check(path)


def test_a_picture_that_would_fill_the_memory():
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def png(side: int) -> bytes:
        head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
        return (
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(bytes(1000)))
            + chunk(b"IEND", b"")
        )

    with pytest.raises(InputError, match=r"pixels|larger than"):
        decode(png(60_000), 1024, "picture")
    with pytest.raises(InputError, match="the most is"):
        decode(png(9_000), 1024, "picture")
    with pytest.raises(CorruptError, match="broken"):
        decode(png(64), 1024, "picture")
    with pytest.raises(CorruptError, match="not a PNG"):
        decode(b"GIF89a", 1024, "picture")


def test_compressed_data_that_would_fill_the_memory(sound, tmp_path):
    root, binary = parse(sound)
    view = root["bufferViews"][root["accessors"][1]["bufferView"]]
    packed = {**view, "mode": "ATTRIBUTES", "count": 2**31, "byteStride": 12}
    view["extensions"] = {"EXT_meshopt_compression": packed}
    path = tmp_path / "bad.glb"
    path.write_bytes(build(root, binary))
    with pytest.raises(InputError, match="unpacks to more"):
        foreign.check(path)


def test_a_link_that_leads_out(sound, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(100))
    try:
        (tmp_path / "in" / "link.bin").symlink_to(tmp_path / "secret.bin")
    except OSError:
        pytest.skip("no links here")
    root, _ = parse(sound)
    root["buffers"] = [{"byteLength": 9, "uri": "link.bin"}]
    path = tmp_path / "in" / "bad.gltf"
    path.write_text(json.dumps(root), "utf-8")
    with pytest.raises(InputError, match="a link that leads elsewhere"):
        foreign.check(path)


def test_a_number_beyond_all_floats(sound, tmp_path):
    root, binary = parse(sound)
    root["nodes"][0]["translation"] = [0, 10**400, 0]
    path = tmp_path / "bad.glb"
    path.write_bytes(build(root, binary))
    with pytest.raises(CorruptError, match="must be 3 numbers"):
        foreign.check(path)


def test_a_file_that_is_too_large_is_not_even_read(tmp_path):
    path = tmp_path / "bad.glb"
    with path.open("wb") as file:
        file.truncate(600_000_000_000)  # of which the disk holds nothing
    with pytest.raises(InputError, match="the most is 512 MB"):
        foreign.check(path)


def test_many_bones_take_no_more_memory_than_few(sound, tmp_path):
    root, binary = parse(sound)
    first = len(root["nodes"])
    count = 15_000
    root["nodes"] += [{"name": f"b{i}", "children": [first + i + 1]} for i in range(count - 1)] + [{}]
    skin = root["skins"][0]
    del skin["inverseBindMatrices"]
    skin["joints"] += range(first, first + count)
    path = tmp_path / "many.glb"
    path.write_bytes(build(root, binary))
    tracemalloc.start()
    try:
        foreign.check(path)
        assert tracemalloc.get_traced_memory()[1] < 200e6
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        found += _places(inside, (*path, key))
    return found


JSON = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 70_000), st.integers(), st.floats(), st.text(max_size=5),
    st.lists(st.integers(-3, 9), max_size=4), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.integers(0, 10**6), JSON), min_size=1, max_size=3))
def test_any_change_of_any_value(sound, folder, changes):
    root, binary = parse(sound)
    places = _places(root)
    for number, value in changes:
        with suppress(KeyError, IndexError, TypeError):  # an earlier change took the place away
            change(list(places[number % len(places)]), value)(root)
    _opens_or_refuses(folder, build(json.dumps(root).encode(), binary))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.integers(0, 10**9), byte=st.integers(0, 255), size=st.integers(1, 8))
def test_any_change_of_any_byte(sound, folder, where, byte, size):
    place = where % len(sound)
    _opens_or_refuses(folder, sound[:place] + bytes([byte]) * size + sound[place + size :])


def _opens_or_refuses(folder: Path, data: bytes) -> None:
    path = folder / "fuzz.glb"
    path.write_bytes(data)
    said = ""
    try:
        foreign.check(path)
    except MienError as error:
        said = str(error)
    assert "\n" not in said

"""GLB files, checked by reading them and by the Khronos validator."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

from mien.avatar import load
from mien.avatar.files import glb
from mien.avatar.files.motion import quaternions
from mien.errors import ResourceError
from mien.face.pose import ARKIT_NAMES, FaceTrack

TYPES = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

LARGEST = ("omar",)  # by 0.15 MB: a full beard


def track(frames: int = 90) -> FaceTrack:
    random = np.random.default_rng(3)
    return FaceTrack(
        random.random((frames, 52)).astype(np.float32),
        random.normal(0, 0.1, (frames, 3)).astype(np.float32),
        random.normal(0, 0.1, (frames, 2, 2)).astype(np.float32),
    )


def parse(data: bytes) -> tuple[dict, bytes]:
    magic, version, size = struct.unpack_from("<4sII", data)
    assert (magic, version, size) == (b"glTF", 2, len(data))
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def numbers(document: dict, binary: bytes, index: int) -> np.ndarray:
    """Return an accessor's values (N, k), sparse ones filled in, normalised ones in [-1, 1]."""
    entry = document["accessors"][index]
    kind, width = np.dtype(TYPES[entry["componentType"]]), WIDTHS[entry["type"]]
    rows = np.zeros((entry["count"], width), kind)
    if "bufferView" in entry:
        view = document["bufferViews"][entry["bufferView"]]
        stride = view.get("byteStride", kind.itemsize * width)
        for i in range(entry["count"]):
            rows[i] = np.frombuffer(binary, kind, width, view["byteOffset"] + i * stride)
    if sparse := entry.get("sparse"):
        places, values = (document["bufferViews"][sparse[k]["bufferView"]] for k in ("indices", "values"))
        where = np.frombuffer(
            binary, TYPES[sparse["indices"]["componentType"]], sparse["count"], places["byteOffset"]
        )
        rows[where] = np.frombuffer(binary, kind, sparse["count"] * width, values["byteOffset"]).reshape(
            -1, width
        )
    return rows / np.iinfo(kind).max if entry.get("normalized") else rows


def mesh_of(document: dict, name: str) -> dict:
    return next(mesh for mesh in document["meshes"] if mesh["name"] == name)


def test_positions_and_targets_come_back(tiny):
    document, binary = parse(glb.encode(tiny))
    skin = tiny.part("skin")
    scale = glb._extent(tiny)
    mesh = mesh_of(document, "skin")
    primitive = mesh["primitives"][0]
    positions = numbers(document, binary, primitive["attributes"]["POSITION"]) * scale
    assert np.allclose(positions, skin.positions, atol=glb.STEP)
    assert mesh["extras"]["targetNames"] == list(ARKIT_NAMES)
    assert len(primitive["targets"]) == 52
    for name, target in zip(ARKIT_NAMES, primitive["targets"], strict=True):
        expected = np.zeros((5, 3))
        if name in skin.morphs:
            expected[skin.morphs[name].indices] = skin.morphs[name].positions
        moved = numbers(document, binary, target["POSITION"]) * scale
        assert np.allclose(moved, expected, atol=glb.SMALLEST_MOVE + glb.STEP), name


def test_eyes_hang_on_the_head_about_their_centres(tiny):
    document, _ = parse(glb.encode(tiny))
    head = next(node for node in document["nodes"] if node["name"] == "Head")
    eyes = [document["nodes"][i] for i in head["children"]]
    assert [eye["name"] for eye in eyes] == ["eye_left", "eye_right"]
    for eye, centre in zip(eyes, tiny.eye_centers, strict=True):
        assert np.allclose(np.array(eye["translation"]) + tiny.pivot, centre)


def test_a_track_becomes_an_animation(tiny):
    document, binary = parse(glb.encode(tiny, track(), rate_hz=30))
    (animation,) = document["animations"]
    paths = [channel["target"]["path"] for channel in animation["channels"]]
    assert paths.count("weights") == 3
    assert paths.count("rotation") == 3
    clock = numbers(document, binary, animation["samplers"][0]["input"])
    assert np.allclose(clock[:, 0], np.arange(45) / 30)
    weights = numbers(document, binary, animation["samplers"][0]["output"]).reshape(45, 52)
    assert np.allclose(weights, track().weights[::2], atol=1e-4)


def test_an_empty_track_is_no_animation(tiny):
    document, _ = parse(glb.encode(tiny, FaceTrack.empty()))
    assert "animations" not in document


def test_quaternions_turn_as_the_face_does():
    yaw, pitch, roll = 0.4, -0.2, 0.3
    x, y, z, w = quaternions(np.array([[yaw, pitch, roll]], np.float32))[0]
    got = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    c, s = np.cos, np.sin
    about_y = np.array([[c(yaw), 0, s(yaw)], [0, 1, 0], [-s(yaw), 0, c(yaw)]])
    about_x = np.array([[1, 0, 0], [0, c(pitch), -s(pitch)], [0, s(pitch), c(pitch)]])
    about_z = np.array([[c(roll), -s(roll), 0], [s(roll), c(roll), 0], [0, 0, 1]])
    assert np.allclose(got, about_y @ about_x @ about_z, atol=1e-6)


def test_a_file_is_whole_or_not_there(tiny, tmp_path):
    glb.write(tmp_path / "a.glb", tiny)
    parse((tmp_path / "a.glb").read_bytes())
    with pytest.raises(ResourceError, match="no folder"):
        glb.write(tmp_path / "none" / "a.glb", tiny)
    assert [file.name for file in tmp_path.iterdir()] == ["a.glb"]


@pytest.fixture(scope="session")
def validate(node_modules: Path):
    """The Khronos validator: returns the report of a file."""
    node, package = shutil.which("node"), node_modules / "gltf-validator"
    script = (
        "const [, validator, file] = process.argv; const data = require('fs').readFileSync(file);"
        "require(validator).validateBytes(new Uint8Array(data))"
        ".then(report => console.log(JSON.stringify(report.issues)));"
    )

    def run(path: Path) -> dict:
        done = subprocess.run(
            [node, "-e", script, str(package), str(path)], check=True, capture_output=True, timeout=60
        )
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("moving", [False, True])
def test_the_khronos_validator_finds_nothing(tiny, tmp_path, validate, moving, compress):
    path = tmp_path / "tiny.glb"
    glb.write(path, tiny, track() if moving else None, compress=compress)
    issues = validate(path)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]


@pytest.mark.parametrize("name", ["ava", "joe", *LARGEST])
def test_real_heads_are_valid_and_small(tmp_path, validate, name):
    path = tmp_path / "head.glb"
    glb.write(path, load(name), track(), compress=True)
    issues = validate(path)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
    assert path.stat().st_size <= 2_000_000


def test_targets_of_a_mesh_share_two_buffer_views_in_small_files(tiny, tmp_path):
    path = tmp_path / "small.glb"
    glb.write(path, tiny, compress=True)
    document, _ = parse(path.read_bytes())
    for mesh in document["meshes"]:
        targets = mesh["primitives"][0].get("targets", [])
        moves = [document["accessors"][place] for target in targets for place in target.values()]
        kept = [accessor for accessor in moves if "bufferView" in accessor]
        assert len({accessor["bufferView"] for accessor in kept}) <= 2
        begins = [(accessor["bufferView"], accessor["byteOffset"]) for accessor in kept]
        assert len(set(begins)) == len({id(accessor) for accessor in kept})
    assert any("targets" in mesh["primitives"][0] for mesh in document["meshes"])

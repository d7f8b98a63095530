"""Heads of every kind of rig, read and worn."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import numpy as np
import pytest

from mien.avatar import foreign, load
from mien.avatar.foreign.names import VISEMES
from mien.avatar.foreign.read import HIDDEN
from mien.errors import InputError
from mien.face.pose import ARKIT_NAMES

RPM = [f"viseme_{name}" for name in VISEMES] + ["mouthOpen", "mouthSmile", "eyeBlinkLeft", "eyeBlinkRight"]


def vrm0(indices: dict[str, int]) -> dict:
    presets = {
        "A": "a",
        "O": "o",
        "U": "u",
        "E": "e",
        "I": "i",
        "Blink": "blink",
        "Joy": "joy",
        "Surprised": "unknown",
    }
    return {
        "meta": {"title": "Egg", "author": "a hen", "licenseName": "CC0", "allowedUserName": "Everyone"},
        "humanoid": {"humanBones": [{"bone": "head", "node": 2}, {"bone": "neck", "node": 1}]},
        "blendShapeMaster": {
            "blendShapeGroups": [
                {
                    "name": name,
                    "presetName": preset,
                    "binds": [{"mesh": 0, "index": indices[name], "weight": 100}],
                }
                for name, preset in presets.items()
                if name in indices
            ]
        },
    }


def vrm1(indices: dict[str, int]) -> dict:
    def bind(*names: str) -> dict:
        return {"morphTargetBinds": [{"node": 5, "index": indices[name], "weight": 1.0} for name in names]}

    return {
        "specVersion": "1.0",
        "meta": {"name": "Egg", "authors": ["a hen"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
        "humanoid": {"humanBones": {"head": {"node": 2}, "leftEye": {"node": 3}, "rightEye": {"node": 4}}},
        "expressions": {
            "preset": {"aa": bind("Fcl_A"), "ou": bind("Fcl_U"), "blinkLeft": bind("Fcl_BlinkLeft"),
                       "blinkRight": bind("Fcl_BlinkRight"), "happy": bind("Fcl_Joy")},
            "custom": {"BrowInnerUp": bind("Fcl_brows")},
        },
        "lookAt": {"rangeMapHorizontalOuter": {"inputMaxValue": 90, "outputScale": 45}},
    }  # fmt: skip


def reach(avatar, name: str) -> float:
    """Return the furthest that a target moves any vertex, metres."""
    lengths = [
        np.linalg.norm(part.morphs[name].positions, axis=1).max()
        for part in avatar.parts
        if name in part.morphs
    ]
    return max(lengths, default=0.0)


def test_an_arkit_head_is_worn_whole(arkit_head):
    head = foreign.read(arkit_head)
    assert all(reach(head, name) > 0.002 for name in ARKIT_NAMES)
    assert reach(head, "jawOpen") == pytest.approx(0.018, abs=0.002)
    assert np.allclose(head.eye_centers, [[0.032, 0, 0], [-0.032, 0, 0]], atol=1e-4)
    assert [part.material for part in head.parts] == ["skin", "eyeball", "eyeball"]
    assert [part.extra[0, 3] for part in head.parts[1:]] == [0, 1]
    assert head.credits == "CC0 by nobody"
    assert all((part.occlusion > 0.45).any() for part in head.parts)
    assert all((part.occlusion >= np.float32(HIDDEN)).all() for part in head.parts)


def test_what_is_sampled_is_the_picture(arkit_head):
    head = foreign.read(arkit_head)
    face = head.part("00 Face")
    rows = (1 - face.uvs[:, 1]) * head.skin.shape[0]
    columns = face.uvs[:, 0] * head.skin.shape[1]
    tinted = 200 * 0.5 ** (1 / 2.2)  # the skin's own factor is in its picture
    assert np.allclose(head.skin[rows.astype(int), columns.astype(int), :3], [200, tinted, tinted], atol=1)
    assert (face.color == 1).all()
    assert np.allclose(head.parts[1].color, 0.9)


@pytest.mark.parametrize(("scale", "turn"), [(100.0, 0.0), (0.01, np.pi), (1.0, np.pi), (1.0, 0.7)])
def test_size_and_direction_are_found(rig, tmp_path, scale, turn):
    path = tmp_path / "a.glb"
    path.write_bytes(rig(list(ARKIT_NAMES), scale=scale, turn=turn).encode())
    head = foreign.read(path)
    assert np.allclose(head.eye_centers[:, 1:], 0, atol=1e-5)
    assert 0.06 < head.eye_centers[0, 0] - head.eye_centers[1, 0] < 0.066
    face = head.part("00 Face")
    assert face.positions[:, 2].max() < 0.03  # the tip of the face is in front of the eyes
    assert face.morphs["mouthPucker"].positions[:, 2].max() > 0.005


def test_a_head_without_bones(rig, tmp_path):
    path = tmp_path / "a.glb"
    path.write_bytes(rig([f"{name}" for name in ARKIT_NAMES], bones=False).encode())
    head = foreign.read(path)
    assert foreign.check(path).eyes == "the lids that blink"
    assert abs(head.eye_centers[0, 0] - 0.032) < 0.01
    assert head.part("00 Face").head_weight.max() == 1


def test_visemes_are_driven_by_arkit_weights(rig, tmp_path):
    path = tmp_path / "rpm.glb"
    path.write_bytes(rig(RPM).encode())
    report = foreign.check(path)
    assert (report.verdict, len(report.oculus)) == ("usable", 15)
    assert report.arkit["mouthFunnel"] == "visemes"
    assert report.arkit["jawOpen"] == report.arkit["mouthSmileLeft"] == "instead"
    head = foreign.read(path)
    assert reach(head, "jawOpen") == pytest.approx(0.018, rel=0.1)
    smile = head.part("00 Face").morphs["mouthSmileLeft"]
    moved = head.part("00 Face").positions[smile.indices][np.linalg.norm(smile.positions, axis=1) > 0.001]
    assert (moved[:, 0] > -0.012).all()
    closed = head.part("00 Face").morphs["mouthClose"]
    opened = head.part("00 Face").morphs["jawOpen"]
    assert np.allclose(closed.positions, -opened.positions, atol=1e-6)


def test_vrm_0(rig, tmp_path):
    path = tmp_path / "egg.vrm"
    names = ["A", "I", "U", "E", "O", "Blink", "Joy"]
    path.write_bytes(rig(names, extension=("VRM", vrm0), turn=np.pi).encode())
    report = foreign.check(path)
    assert (report.kind, report.vrm[:3]) == ("VRM 0.x", ("aa", "ih", "ou"))
    assert "CC0" in report.licence
    assert "a hen" in report.licence
    assert report.how["jawOpen"] == "1 vrm:aa"
    assert reach(foreign.read(path), "jawOpen") > 0.015


def test_vrm_1_with_flat_eyes_and_arkit_expressions(rig, tmp_path):
    path = tmp_path / "egg.vrm"
    names = ["Fcl_A", "Fcl_U", "Fcl_BlinkLeft", "Fcl_BlinkRight", "Fcl_Joy", "Fcl_brows"]
    path.write_bytes(rig(names, extension=("VRMC_vrm", vrm1)).encode())
    report = foreign.check(path)
    assert report.kind == "VRM 1.0"
    assert report.arkit["browInnerUp"] == "own"
    assert report.vrm_missing[:2] == ("ih", "ee")
    head = foreign.read(path)
    assert all(part.material == "plain" for part in head.parts)  # the eyes turn by targets, half as far
    assert reach(head, "eyeLookOutLeft") == pytest.approx(0.012 * 0.262 / 2, rel=0.1)


def test_what_is_transparent_is_cut_out(rig, tmp_path):
    whole, cut = tmp_path / "a.glb", tmp_path / "b.glb"
    whole.write_bytes(rig(list(ARKIT_NAMES)).encode())
    cut.write_bytes(rig(list(ARKIT_NAMES), alpha=True).encode())
    face = foreign.read(cut).part("00 Face")
    assert face.positions[:, 0].min() == pytest.approx(0, abs=0.003)  # the left half of the picture is clear
    assert foreign.read(whole).part("00 Face").positions[:, 0].min() < -0.07
    assert face.morphs["jawOpen"].indices.max() < len(face.positions)


def test_a_head_without_a_face_is_refused(rig, tmp_path):
    path = tmp_path / "statue.glb"
    path.write_bytes(rig([], bones=False).encode())
    with pytest.raises(InputError, match="no face"):
        foreign.read(path)
    assert foreign.check(path).verdict == "unusable"


def test_a_head_is_fitted_once(arkit_head, monkeypatch, tmp_path):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "home"))
    first = load(str(arkit_head))
    monkeypatch.setattr(foreign, "read", None)
    again = load(str(arkit_head))
    assert [part.name for part in first.parts] == [part.name for part in again.parts]
    assert np.array_equal(first.parts[0].positions, again.parts[0].positions)


def split(head: bytes, uri: str) -> str:
    """Return a GLB's JSON as a .gltf whose buffer is at `uri`."""
    length = int.from_bytes(head[12:16], "little")
    root = json.loads(head[20 : 20 + length])
    root["buffers"][0]["uri"] = uri
    return json.dumps(root)


def test_a_gltf_holds_its_buffer_inside_or_beside(arkit_head, tmp_path):
    head = arkit_head.read_bytes()
    binary = head[28 + int.from_bytes(head[12:16], "little") :]
    inside, outside = tmp_path / "inside.gltf", tmp_path / "outside.gltf"
    inside.write_text(split(head, f"data:application/octet-stream;base64,{b64encode(binary).decode()}"))
    outside.write_text(split(head, "head%20data.bin"))
    (tmp_path / "head data.bin").write_bytes(binary)
    whole = foreign.check(arkit_head)
    for path in (inside, outside):
        found = foreign.check(path)
        assert (found.arkit, found.vertices, found.verdict) == (whole.arkit, whole.vertices, whole.verdict)


def test_a_head_whose_buffer_changed_is_read_again(arkit_head, monkeypatch, tmp_path):
    monkeypatch.setenv("MIEN_HOME", str(tmp_path / "home"))
    head, path = arkit_head.read_bytes(), tmp_path / "head.gltf"
    path.write_text(split(head, "data.bin"))
    binary = bytearray(head[28 + int.from_bytes(head[12:16], "little") :])
    (tmp_path / "data.bin").write_bytes(binary)
    first = load(str(path))
    view = json.loads(path.read_text())["bufferViews"][_view_of_positions(path)]
    values = np.frombuffer(binary, np.float32, view["byteLength"] // 4, view.get("byteOffset", 0))
    values *= 1.01
    (tmp_path / "data.bin").write_bytes(binary)
    again = load(str(path))
    assert not np.array_equal(first.parts[0].positions, again.parts[0].positions)


def _view_of_positions(path: Path) -> int:
    root = json.loads(path.read_text())
    return root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["bufferView"]

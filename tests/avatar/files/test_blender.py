"""Our files in Blender (module `bpy`, GPL, 360 MB), which wants an older numpy than mien: so in a Python
of its own, named by `MIEN_BLENDER_PYTHON`.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from mien.avatar.files import glb, vrm
from mien.face.pose import ARKIT_NAMES

SCRIPT = """
import json, sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[1])
told = {}
for o in bpy.data.objects:
    if o.type == "MESH":
        keys = o.data.shape_keys
        told[o.name] = [len(o.data.vertices), [k.name for k in keys.key_blocks] if keys else []]
open(sys.argv[2], "w").write(json.dumps(told))
"""


@pytest.fixture
def blender(tmp_path: Path):
    """Return the meshes that Blender imports from a file: vertices and names of shape keys."""
    python = os.environ.get("MIEN_BLENDER_PYTHON")
    if not python:
        pytest.skip("MIEN_BLENDER_PYTHON names no Python that has Blender's module (pip install bpy)")

    def run(path: Path) -> dict:
        told = tmp_path / "told.json"
        subprocess.run(
            [python, "-c", SCRIPT, str(path), str(told)], check=True, capture_output=True, timeout=120
        )
        return json.loads(told.read_text("utf-8"))

    return run


@pytest.mark.parametrize("kind", ["glb", "vrm"])
def test_blender_imports_every_mesh_with_its_shape_keys(blender, tiny, tmp_path, kind):
    path = tmp_path / f"head.{kind}"
    write = {"glb": glb.write, "vrm": vrm.write}[kind]
    write(path, tiny)
    path.rename(tmp_path / "head.glb")  # Blender goes by the suffix
    meshes = blender(tmp_path / "head.glb")
    assert meshes.keys() - {"Icosphere"} == {part.name for part in tiny.parts}  # it draws bones with it
    assert meshes["skin"][1] == ["Basis", *ARKIT_NAMES]
    assert meshes["hair"][1] == []

"""Our files in three.js, in a real browser: they load, and the mouth moves on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from mien.avatar import load
from mien.avatar.correctives import names_of
from mien.avatar.files import glb, vrm

PAGE = """<!doctype html><meta charset="utf-8"><canvas width="256" height="256"></canvas>
<script type="importmap">{"imports": {"three": "./node_modules/three/build/three.module.js",
  "three/addons/": "./node_modules/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { VRMLoaderPlugin } from "./node_modules/@pixiv/three-vrm/lib/three-vrm.module.js";
const told = {};
try {
  const canvas = document.querySelector("canvas");
  const renderer = new THREE.WebGLRenderer({ canvas, preserveDrawingBuffer: true });
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.loadAsync("FILE"), vrm = gltf.userData.vrm, scene = new THREE.Scene();
  scene.add(gltf.scene, new THREE.HemisphereLight(0xffffff, 0x888888, 3));
  const camera = new THREE.PerspectiveCamera(25, 1, 0.1, 10);
  camera.position.set(0, HEIGHT, 0.75);
  const shot = () => {
    gltf.scene.updateMatrixWorld(true);
    renderer.render(scene, camera);
    const gl = renderer.getContext(), pixels = new Uint8Array(256 * 256 * 4);
    gl.readPixels(0, 0, 256, 256, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const changed = (a, b) => {
    const rows = { upper: 0, lower: 0 };
    for (let i = 0; i < a.length; i += 4)
      if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) > 40)
        rows[i > a.length * 0.5 ? "upper" : "lower"]++;
    return rows;
  };
  const names = new Set();
  gltf.scene.traverse((o) => Object.keys(o.morphTargetDictionary ?? {}).forEach((n) => names.add(n)));
  const still = shot();
  told.drawn = changed(still, new Uint8Array(still.length)).lower;
  gltf.scene.traverse((o) => {
    if (o.morphTargetDictionary) o.morphTargetInfluences[o.morphTargetDictionary.jawOpen] = 1;
  });
  told.jawOpen = changed(still, shot());
  told.targets = names.size;
  told.animations = gltf.animations.map((clip) => [clip.name, clip.duration, clip.tracks.length]);
  if (vrm) {
    gltf.scene.traverse((o) => o.morphTargetInfluences?.fill(0));
    vrm.expressionManager.setValue("aa", 1);
    vrm.update(0.01);
    told.aa = changed(still, shot());
    told.expressions = Object.keys(vrm.expressionManager.expressionMap).length;
    told.bones = Object.keys(vrm.humanoid.humanBones).length;
    told.licence = vrm.meta.licenseUrl;
    told.lookAt = !!vrm.lookAt;
  }
} catch (error) { told.error = String(error); }
await fetch("/told", { method: "POST", body: JSON.stringify(told) });
</script>
"""


@pytest.fixture
def show(browse, node_modules: Path, tmp_path: Path):
    """Return what three.js says of a file in `tmp_path`."""
    (tmp_path / "node_modules").symlink_to(node_modules, target_is_directory=True)

    def run(name: str, height: float = -0.03) -> dict:
        page = PAGE.replace("FILE", name).replace("HEIGHT", str(height))
        (tmp_path / "page.html").write_text(page, "utf-8")
        return browse(tmp_path)

    return run


@pytest.mark.parametrize("compress", [False, True])
def test_the_mouth_opens_in_three(show, tmp_path, compress):
    head = load("ava")
    glb.write(tmp_path / "head.glb", head, compress=compress)
    told = show("head.glb")
    assert "error" not in told, told
    assert told["drawn"] > 10_000
    assert told["targets"] == 52 + len(names_of(head))
    assert told["jawOpen"]["lower"] > 300
    assert told["jawOpen"]["upper"] < told["jawOpen"]["lower"] / 10


def test_a_vrm_in_three_vrm(show, tmp_path):
    vrm.write(tmp_path / "head.vrm", load("ava"))
    told = show("head.vrm", vrm.HEIGHT - 0.03)
    assert "error" not in told, told
    assert told["drawn"] > 10_000
    assert told["aa"]["lower"] > 200
    assert told["expressions"] >= 18 + 52
    assert told["bones"] >= 17
    assert told["lookAt"]
    assert told["licence"] == vrm.LICENCE

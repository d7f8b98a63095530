"""The same head, pose and light from the software renderer and from the browser (SwiftShader)."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from mien.avatar import load
from mien.avatar.files import glb
from mien.avatar.render import Camera, SoftwareRenderer
from mien.errors import MissingError
from mien.face.pose import ARKIT_NAMES, FacePose, weights

SIZE, FACE = (320, 320), (slice(60, 250), slice(80, 240))
BACKGROUND = "#707c86"
MEAN, MOST = 4.5, 48  # levels of 255 in the face: on average, and of 99 in 100 pixels
POSES = {
    "rest": ({}, (0.0, 0.0, 0.0), (0.0, 0.0)),
    "ah": ({"jawOpen": 0.5, "mouthSmile": 0.5, "eyeBlink": 0.3}, (0.3, 0.05, 0.0), (-0.15, 0.05)),
}
PAGE = """<!doctype html><meta charset="utf-8"><canvas width="WIDTH" height="HEIGHT"></canvas>
<script type="module">
const told = { shots: [] };
const post = () => fetch("/told", { method: "POST", body: JSON.stringify(told) });
try {
  const { Viewer } = await import("./viewer.js");
  const canvas = document.querySelector("canvas"), viewer = new Viewer(canvas, "BACKGROUND");
  await viewer.load("head.glb");
  const gl = canvas.getContext("webgl2"), pixels = new Uint8Array(WIDTH * HEIGHT * 4);
  for (const { pose, camera } of SHOTS) {
    viewer.pose(pose);
    if (camera) viewer.look(camera);
    viewer.draw();
    gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let text = "";
    for (const byte of pixels) text += String.fromCharCode(byte);
    told.shots.push(btoa(text));
  }
} catch (error) { told.error = String(error); }
await post();
</script>
"""


def face(name: str) -> FacePose:
    named, head, gaze = POSES[name]
    return FacePose(weights(named), np.array(head, np.float32), np.array([gaze, gaze], np.float32))


def shot(name: str, camera: Camera | None) -> dict:
    named, head, gaze = POSES[name]
    shown = dict(zip(ARKIT_NAMES, weights(named).tolist(), strict=True))
    pose = {
        "weights": {each: value for each, value in shown.items() if value},
        "head": head,
        "gaze": [gaze, gaze],
    }
    at = camera and {"eye": camera.eye, "target": camera.target, "height": camera.height}
    return {"pose": pose, "camera": at}


def page(shots: list[dict]) -> str:
    values = {"WIDTH": SIZE[0], "HEIGHT": SIZE[1], "BACKGROUND": BACKGROUND, "SHOTS": json.dumps(shots)}
    text = PAGE
    for word, value in values.items():
        text = text.replace(word, str(value))
    return text


@pytest.fixture(scope="module", params=["ava", "joe"])
def head(request):
    try:
        return load(request.param)
    except MissingError as error:
        pytest.skip(str(error))


def test_software_and_browser_show_the_same(head, told, tmp_path: Path):
    glb.write(tmp_path / "head.glb", head, compress=True)
    with SoftwareRenderer(head, SIZE, background=BACKGROUND) as renderer:
        wanted = [renderer.render(face(name)) for name in POSES]
        shots = [shot("rest", None), *(shot(name, renderer.camera) for name in POSES)]
    answer = told(tmp_path / "head.glb", page(shots))
    assert "error" not in answer, answer["error"]
    first, *drawn = (
        np.frombuffer(base64.b64decode(text), np.uint8).reshape(*SIZE[::-1], 4)[::-1, :, :3]
        for text in answer["shots"]
    )
    for name, picture, expected in zip(POSES, drawn, wanted, strict=True):
        apart = np.abs(picture.astype(int) - expected)[FACE]
        assert apart.mean() < MEAN, name
        assert np.percentile(apart, 99) <= MOST, name
    assert np.abs(first.astype(int) - wanted[0])[FACE].mean() < 2 * MEAN  # the camera of the viewer's own

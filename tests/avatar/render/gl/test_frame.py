from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from mien.avatar.render.camera import Camera
from mien.avatar.render.gl import frame
from mien.face.pose import ARKIT_INDEX, FacePose, weights

HEAD = SimpleNamespace(
    eye_centers=np.array([[0.03, 0, 0.08], [-0.03, 0, 0.08]], np.float32),
    iris=np.zeros((2, 3), np.float32),
    pivot=np.array([0, -0.1, 0], np.float32),
    products=np.array([[ARKIT_INDEX["jawOpen"], ARKIT_INDEX["mouthFunnel"]]], np.int32),
)
CAMERA, SIZE = Camera((0.1, 0.2, 1.2), (0, 0, 0), 0.4), (640, 360)


def block(pose: FacePose) -> np.ndarray:
    return np.frombuffer(frame.Frame(HEAD, CAMERA, SIZE).at(pose), np.float32)  # type: ignore[arg-type]


def test_the_block_has_the_size_that_std140_gives_it():
    assert frame.SIZE == 4 * (16 + 16 + 32 + 4 + 4 + 8 + 4 + 128)


def test_the_lens_shows_what_the_camera_shows():
    lens = block(FacePose())[16:32].reshape(4, 4).T
    right, up, forward, eye, (focal, middle, height) = CAMERA.matrix(SIZE, samples=1)
    point = np.array([0.05, -0.07, 0.1], np.float32)
    x, y, z, w = lens @ [*point, 1]
    away = (point - eye) @ forward
    assert np.isclose(w, away)
    assert np.isclose((x / w + 1) * 320, middle + (point - eye) @ right * focal / away, atol=1e-3)
    assert np.isclose((1 - y / w) * 180, height - (point - eye) @ up * focal / away, atol=1e-3)
    assert -1 < z / w < 1


def test_the_target_is_in_the_middle():
    x, y, _, w = block(FacePose())[16:32].reshape(4, 4).T @ [0, 0, 0, 1]
    assert np.allclose([x / w, y / w], 0, atol=1e-6)


def test_tiny_weights_move_nothing():
    shown = block(FacePose(weights({"jawOpen": 0.5, "mouthFunnel": 5e-5})))[-128:]
    assert np.count_nonzero(shown) == 1


def test_a_corrective_weighs_the_product():
    shown = block(FacePose(weights({"jawOpen": 0.5, "mouthFunnel": 0.4})))[-128:]
    assert shown[52] == np.float32(0.5) * np.float32(0.4)

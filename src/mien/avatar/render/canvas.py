"""What drawing one frame needs besides the scene: scratch arrays, and the order of the kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Ints
from mien.avatar.render import lights, tone
from mien.avatar.render.kernels import draw, eye, geometry, light, raster, yuv
from mien.avatar.render.scene import Scene
from mien.face.pose import ARKIT_INDEX, FacePose

Picture = NDArray[np.uint8]
_LEAST = 1e-4  # weights below move nothing that a picture shows
_SAMPLES = 2  # a side of a pixel
_LID = 0.62  # height of the upper lid's shadow on the unit eyeball, eyes open


def rotation(yaw: float, pitch: float, roll: float = 0.0) -> Floats:
    """Return (3, 3) `Ry(yaw) @ Rx(pitch) @ Rz(roll)`: the axes of `mien.face.pose`."""
    (cy, cx, cz), (sy, sx, sz) = np.cos((yaw, pitch, roll)), np.sin((yaw, pitch, roll))
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    turned: Floats = (about_y @ about_x @ about_z).astype(np.float32)
    return turned


class Planes(NamedTuple):
    """A picture for video: Y (H, W), Cb and Cr (H/2, W/2), uint8, BT.709 limited range, 4:2:0."""

    luma: Picture
    blue: Picture
    red: Picture


def to_planes(picture: Picture) -> Planes:
    """Convert (H, W, 3) sRGB of even size."""
    height, width = picture.shape[:2]
    half = (height // 2, width // 2)
    planes = Planes(np.empty((height, width), np.uint8), np.empty(half, np.uint8), np.empty(half, np.uint8))
    yuv.convert(picture, 0, height, *planes)
    return planes


@dataclass(slots=True, eq=False)
class Scratch:
    """One thread's own space: samples of a band, light of the vertices, and the frame that lit them and
    that first showed each triangle.
    """

    samples: NDArray[np.int64]
    lit: Floats
    stamp: Ints
    seen: Ints


class Canvas:
    """Draws one frame at a time: `place` a pose, then `paint` every band, from any threads."""

    def __init__(self, scene: Scene, size: tuple[int, int], camera: Floats, background: Picture) -> None:
        self._scene, self._size, self._camera, self._background = scene, size, camera, background
        self._rows = 32 if size[0] <= 768 else 16
        self.bands = -(-size[1] * _SAMPLES // self._rows)
        vertices, triangles = len(scene.points), len(scene.faces)
        self._points = np.zeros_like(scene.points)
        self._clip = np.zeros((vertices, 3), np.float32)
        self._count = np.zeros(self.bands, np.int32)
        self._lists = np.empty((self.bands, triangles), np.int32)
        self._span = np.zeros((self.bands, 2), np.int32)
        self._rig, self._table = lights.studio(), tone.table()
        self._head, self._turns = np.zeros((4, 3), np.float32), np.zeros((2, 3, 3), np.float32)
        self._lids, self._view = np.zeros(2, np.float32), np.zeros((2, 3), np.float32)
        self._jaw, self._frame = 0.0, 0
        toward = camera[3] - scene.eye_centers.mean(axis=0)
        self._view[0] = toward / np.linalg.norm(toward)

    def scratch(self) -> Scratch:
        """Return space for one more thread."""
        vertices = len(self._scene.points)
        return Scratch(
            np.empty((self._rows, self._size[0] * _SAMPLES), np.int64),
            np.zeros((vertices, 8), np.float32),
            np.zeros(vertices, np.int32),
            np.zeros(len(self._scene.faces), np.int32),
        )

    def place(self, pose: FacePose) -> None:
        """Move everything to where it is in `pose`, and sort the triangles into bands."""
        self._frame = self._frame % (2**31 - 2) + 1
        self.morph(pose)
        self._turn(pose)
        self.project()
        self.sort()

    def morph(self, pose: FacePose) -> None:
        """Bend the face."""
        scene, weights = self._scene, np.ascontiguousarray(pose.weights, np.float32)
        active = np.flatnonzero(np.abs(weights) > _LEAST).astype(np.int32)
        geometry.morph(
            scene.points,
            self._points,
            scene.morph_start,
            scene.morph_index,
            scene.morph_delta,
            active,
            weights,
        )
        opening = weights[ARKIT_INDEX["jawOpen"]] * 1.6 + weights[ARKIT_INDEX["mouthFunnel"]] * 0.5
        opening += weights[_PARTING].sum() * 0.1
        self._jaw = float(min(max(opening, 0.0), 1.0))
        self._lids[:] = _LID - weights[_BLINK] - 0.3 * weights[_DOWN] + 0.15 * weights[_WIDE]

    def _turn(self, pose: FacePose) -> None:
        scene, head = self._scene, rotation(*(float(angle) for angle in pose.head))
        self._head[:3], self._head[3] = head, scene.pivot
        self._view[1] = head[:, 1]
        turns = [rotation(*(float(angle) for angle in gaze)) for gaze in pose.gaze]
        for start, end, side in scene.eyes:
            rest, moved, center = scene.points[start:end], self._points[start:end], scene.eye_centers[side]
            moved[:, :3] = (rest[:, :3] - center) @ turns[side].T + center
            moved[:, 3:] = rest[:, 3:] @ turns[side].T
        for side, turn in enumerate(turns):
            self._turns[side] = head @ turn

    def project(self) -> None:
        """Find where the vertices are on the screen."""
        geometry.project(self._points, self._scene.static, self._head, self._camera, self._clip)

    def sort(self) -> None:
        """Find which triangles each band may show."""
        width, height = self._size[0] * _SAMPLES, self._size[1] * _SAMPLES
        geometry.sort(
            self._scene.faces, self._clip, width, height, self._rows, self._count, self._lists, self._span
        )

    def compile_steps(self) -> list[tuple[str, Callable[[], object]]]:
        """Return what must be compiled, in parts of a few seconds: names and calls that do it."""
        scene, own = self._scene, self.scratch()
        look: Any = eye.eye
        picture = np.zeros((self._size[1], self._size[0], 3), np.uint8)
        band = (scene.faces, self._clip, self._lists[0], self._count[0], 0, 0, 1, own.samples)
        state = (scene.points, scene.static, self._head, self._camera, self._rig, self._jaw)
        return [
            ("morph targets", lambda: self.morph(FacePose())),
            ("projection", self.project),
            ("sorting", self.sort),
            ("coverage", lambda: raster.cover(*band)),
            ("light", lambda: light.illuminate(0, scene.faces, *state, own.lit, own.stamp, 1)),
            ("eyes", lambda: look(*_POINT, self._turns[0], self._view, scene.iris, self._rig)),
            ("pictures", lambda: self.paint(picture, 0, self.bands, own)),
            ("video planes", lambda: to_planes(picture)),
        ]

    def cover(self, scratch: Scratch) -> None:
        """Find only which triangles the samples show, as a part of what `paint` does: for benchmarks."""
        for band in np.flatnonzero(self._count):
            left, right = int(self._span[band, 0]) // 2 * 2, int(self._span[band, 1]) // 2 * 2 + 1
            raster.cover(
                self._scene.faces, self._clip, self._lists[band], self._count[band],
                int(band) * self._rows, left, right, scratch.samples,
            )  # fmt: skip

    def paint(self, picture: Picture, first: int, last: int, scratch: Scratch) -> None:
        """Fill bands `first` to `last` of `picture` (H, W, 3)."""
        scene = self._scene
        draw.draw(
            first, last, self._rows, scene.faces, self._clip, self._points, scene.static,
            self._head, self._camera, self._rig, self._jaw, self._turns, self._lids, self._view,
            scene.iris, scene.skin, scene.hair, self._table,
            scratch.lit, scratch.stamp, scratch.seen, self._frame,
            self._count, self._lists, self._span, scratch.samples, self._background, picture,
        )  # fmt: skip


def _both(name: str) -> list[int]:
    return [ARKIT_INDEX[f"{name}Left"], ARKIT_INDEX[f"{name}Right"]]


_POINT: Any = (np.float32(1),) * 8
_BLINK, _DOWN, _WIDE = _both("eyeBlink"), _both("eyeLookDown"), _both("eyeWide")
_PARTING = _both("mouthLowerDown") + _both("mouthUpperUp")

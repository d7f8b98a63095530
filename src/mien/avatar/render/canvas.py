"""What drawing one frame needs besides the scene: scratch arrays, and the order of the kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mien.avatar.correctives import expand
from mien.avatar.model import Floats
from mien.avatar.render import posture
from mien.avatar.render.kernels import draw, eye, geometry, light, raster, shade, yuv
from mien.avatar.render.layout import (
    BLOCK,
    BUCKETS,
    LIT_COLUMNS,
    TILE_HEIGHT,
    TILE_WIDTH,
    Bytes,
    Lists,
    Model,
    Moment,
    Scratch,
)
from mien.avatar.render.scene import Scene
from mien.face.pose import FacePose

_LEAST = 1e-4  # weights below move nothing that a picture shows
_SAMPLES = 2  # a side of a pixel


class Canvas:
    """Draws one frame at a time: `place` a pose, then `paint` every row of tiles, from any threads.

    `backgrounds` (2, H, W, 3 or 4): what is behind everything, and that with all that never moves.
    """

    def __init__(self, scene: Scene, size: tuple[int, int], camera: Floats, backgrounds: Bytes) -> None:
        self._scene, self._size, self._backgrounds = scene, size, backgrounds
        self.rows = -(-size[1] * _SAMPLES // TILE_HEIGHT)
        tiles = self.rows * -(-size[0] * _SAMPLES // TILE_WIDTH)
        vertices, triangles = len(scene.points), len(scene.model.faces)
        self._moment = Moment(
            points=np.zeros_like(scene.points),
            clip=np.zeros((vertices, 3), np.float32),
            head=np.zeros((4, 3), np.float32),
            camera=camera,
            turns=np.zeros((2, 3, 3), np.float32),
            lids=np.zeros(2, np.float32),
            sight=np.zeros((2, 3), np.float32),
            state=np.zeros(1, np.float32),
        )
        self._lists = Lists(
            starts=np.zeros(tiles + 1, np.int32),
            moving=np.zeros(tiles, np.int32),
            items=np.empty(2 * triangles, np.int32),
            boxes=np.zeros((triangles, 4), np.int16),
            near=np.zeros(triangles, np.float32),
            order=np.zeros(triangles, np.int32),
            buckets=np.zeros(BUCKETS + 1, np.int32),
        )
        toward = camera[3] - scene.eye_centers.mean(axis=0)
        self._moment.sight[0] = toward / np.linalg.norm(toward)
        self._frame = 0

    def scratch(self) -> Scratch:
        """Return space for one more thread."""
        vertices = len(self._scene.points)
        return Scratch(
            samples=np.empty((TILE_HEIGHT, TILE_WIDTH), np.int64),
            farthest=np.empty((TILE_HEIGHT // BLOCK, TILE_WIDTH), np.int64),
            lit=np.zeros((vertices, LIT_COLUMNS), np.float32),
            stamp=np.zeros(vertices, np.int32),
            seen=np.zeros(len(self._scene.model.faces), np.int32),
            strip=np.zeros((self._backgrounds.shape[3], TILE_HEIGHT // 2, TILE_WIDTH // 2), np.uint8),
            mix=np.zeros(18, np.float32),
        )

    def place(self, pose: FacePose) -> None:
        """Move everything to where it is in `pose`, and sort the triangles into tiles."""
        self.darken()
        self.morph(pose)
        self._turn(pose)
        self.project()
        self.sort()

    def darken(self) -> None:
        """Forget all light: what is painted next is lit again."""
        self._frame = self._frame % (2**31 - 2) + 1

    def morph(self, pose: FacePose) -> None:
        """Bend the face."""
        scene, weights = self._scene, np.ascontiguousarray(pose.weights, np.float32)
        every = expand(weights, scene.products)
        active = np.flatnonzero(np.abs(every) > _LEAST).astype(np.int32)
        targets = scene.morph_start, scene.morph_index, scene.morph_delta
        geometry.morph(scene.points, self._moment.points, *targets, active, every)
        self._moment.state[0] = posture.opening(weights)
        self._moment.lids[:] = posture.lids(weights)

    def _turn(self, pose: FacePose) -> None:
        scene, moment = self._scene, self._moment
        head = posture.rotation(*(float(angle) for angle in pose.head))
        moment.head[:3], moment.head[3] = head, scene.pivot
        moment.sight[1] = head[:, 1]
        turns = [posture.rotation(*(float(angle) for angle in gaze)) for gaze in pose.gaze]
        for start, end, side in scene.eyes:
            geometry.roll(moment.points, start, end, turns[side], scene.eye_centers[side])
        for side, turn in enumerate(turns):
            moment.turns[side] = head @ turn

    def project(self) -> None:
        """Find where the vertices are on the screen."""
        moment = self._moment
        geometry.project(moment.points, self._scene.model.static, moment.head, moment.camera, moment.clip)

    def sort(self) -> None:
        """Find which triangles each tile may show."""
        width, height = self._size[0] * _SAMPLES, self._size[1] * _SAMPLES
        faces, still = self._scene.model.faces, self._scene.model.still
        needed = geometry.sort(faces, self._moment.clip, width, height, still, self._lists)
        if needed > len(self._lists.items):
            self._lists = self._lists._replace(items=np.empty(needed * 5 // 4, np.int32))
            geometry.sort(faces, self._moment.clip, width, height, still, self._lists)

    def paint(self, picture: Bytes, first: int, last: int, scratch: Scratch) -> None:
        """Fill rows `first` to `last` of tiles of `picture` (H, W, 3 or 4)."""
        draw.draw(first, last, *self._given(scratch), picture)

    def paint_planes(self, planes: Bytes, first: int, last: int, scratch: Scratch) -> None:
        """Fill what moves in rows `first` to `last` of tiles of `planes` (H * 3 / 2 or H * 5 / 2, W)."""
        draw.draw_planes(first, last, *self._given(scratch), planes.reshape(-1))

    def cover(self, scratch: Scratch) -> None:
        """Find only which triangles the samples show, as a part of what `paint` does: for benchmarks."""
        draw.cover_all(self._scene.model, self._moment, self._lists, scratch, self._size[0])

    def _given(self, scratch: Scratch) -> tuple[Model, Moment, Lists, Scratch, int, Bytes]:
        return self._scene.model, self._moment, self._lists, scratch, self._frame, self._backgrounds

    def compile_steps(self) -> list[tuple[str, Callable[[], object]]]:
        """Return what must be compiled, in parts of a few seconds: names and calls that do it."""
        model, moment, own = self._scene.model, self._moment, self.scratch()
        picture = np.zeros(self._backgrounds.shape[1:], np.uint8)
        lists, one = self._lists, np.float32(1)
        tile = (
            model.faces,
            moment.clip,
            lists,
            lists.starts[0],
            lists.starts[1],
            0,
            0,
            1,
            own.samples,
            own.farthest,
        )
        look: Any = eye.eye
        three = (one, one, one)
        return [
            ("morph targets", lambda: self.morph(FacePose())),
            ("gaze", lambda: geometry.roll(moment.points, 0, 1, moment.turns[0], moment.head[3])),
            ("projection", self.project),
            ("sorting", self.sort),
            ("coverage", lambda: raster.cover(*tile)),
            ("light", lambda: light.illuminate(0, model, moment, own.lit, own.stamp, 1)),
            (
                "eyes",
                lambda: look(
                    three, three, one, one, one, moment.turns[0], moment.sight, model.iris, model.rig
                ),
            ),
            ("colours", lambda: shade.shade(0, one, one, model, moment, own.lit, own.mix)),
            ("pictures", lambda: self.paint(picture, 0, self.rows, own)),
            ("video planes", lambda: self.paint_planes(np.zeros((24, 16), np.uint8), 0, self.rows, own)),
            ("conversion", lambda: to_planes(picture)),
        ]


def to_planes(picture: Bytes) -> Bytes:
    """Convert (H, W, 3) sRGB of even size to BT.709 limited-range 4:2:0 planes (H * 3 / 2, W); with alpha,
    (H, W, 4), to (H * 5 / 2, W).
    """
    height, width = picture.shape[:2]
    planes = np.empty((height * (3 if picture.shape[2] == 3 else 5) // 2, width), np.uint8)
    channels = np.ascontiguousarray(np.moveaxis(picture, -1, 0))
    yuv.convert(channels, (0, height, 0, width), height, width, planes.reshape(-1))
    return planes

"""A pose as the bytes of the shaders' block `Frame`."""

from __future__ import annotations

import numpy as np

from mien.avatar.correctives import expand
from mien.avatar.model import Floats
from mien.avatar.render import posture
from mien.avatar.render.camera import Camera
from mien.avatar.render.gl.head import Head
from mien.avatar.render.gl.programs import MOST
from mien.avatar.render.layout import FAR, NEAR
from mien.face.pose import FacePose

_LEAST = 1e-4  # weights below move nothing that a picture shows
_BLOCK = np.dtype(
    [
        ("head", np.float32, (4, 4)),
        ("lens", np.float32, (4, 4)),
        ("gaze", np.float32, (2, 4, 4)),
        ("viewer", np.float32, 4),
        ("sight", np.float32, 4),
        ("iris", np.float32, (2, 4)),
        ("state", np.float32, 4),
        ("weights", np.float32, MOST),
    ]
)
SIZE = _BLOCK.itemsize


class Frame:
    """The block of one head before one camera; matrices stand in it column by column."""

    def __init__(self, head: Head, camera: Camera, size: tuple[int, int]) -> None:
        self._block, self._products = np.zeros(1, _BLOCK), head.products
        block = self._block[0]
        view = camera.matrix(size, samples=1)
        block["lens"] = _lens(view).T
        block["viewer"][:3] = view[3]
        sight = view[3] - head.eye_centers.mean(axis=0)
        block["sight"][:3] = sight / np.linalg.norm(sight)
        block["iris"][:, :3] = head.iris
        block["head"][3, :3] = head.pivot
        block["gaze"][:, 3, :3] = head.eye_centers

    def at(self, pose: FacePose) -> bytes:
        """Return the block in `pose`."""
        block = self._block[0]
        weights = np.asarray(pose.weights, np.float32)
        every = expand(weights, self._products)
        block["weights"][: len(every)] = np.where(np.abs(every) > _LEAST, every, 0)
        block["head"][:3, :3] = posture.rotation(*(float(angle) for angle in pose.head)).T
        for side, angles in enumerate(pose.gaze):
            block["gaze"][side, :3, :3] = posture.rotation(*(float(angle) for angle in angles)).T
        block["state"][:2], block["state"][2] = posture.lids(weights), posture.opening(weights)
        return self._block.tobytes()


def _lens(view: Floats) -> Floats:
    """Return world to clip space (4, 4) of `Camera.matrix`; depth as `layout` has it."""
    (right, up, forward, eye, (focal, middle, height)) = view
    matrix = np.zeros((4, 4), np.float32)
    matrix[0, :3], matrix[1, :3], matrix[3, :3] = right * focal / middle, up * focal / height, forward
    matrix[2, :3] = forward * (FAR + NEAR) / (FAR - NEAR)
    matrix[:, 3] = -matrix[:, :3] @ eye
    matrix[2, 3] -= 2 * FAR * NEAR / (FAR - NEAR)
    return matrix

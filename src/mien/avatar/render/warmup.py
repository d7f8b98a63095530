"""Compiling the kernels once, in view of the user."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mien.avatar.model import MATERIALS, Avatar, Morph, Part
from mien.avatar.render import cache

Progress = Callable[[int, int, str], None]


def compiled() -> bool:
    """Return whether a renderer starts without compiling first. Does not import numba."""
    return cache.marker().exists()


def warm_up(progress: Progress | None = None) -> None:
    """Compile what is not compiled yet (half a minute), load the rest (a second).

    `progress(done, total, name)` hears of each step before it begins, and of the end.
    """
    from mien.avatar.render.camera import Camera
    from mien.avatar.render.canvas import Canvas
    from mien.avatar.render.scene import pack

    size, avatar = (16, 16), _speck()
    backgrounds = np.zeros((2, 16, 16, 3), np.uint8)
    canvas = Canvas(pack(avatar), size, Camera.portrait(avatar, size).matrix(size), backgrounds)
    steps = canvas.compile_steps()
    for done, (name, step) in enumerate(steps):
        if progress:
            progress(done, len(steps), name)
        step()
    if progress:
        progress(len(steps), len(steps), "ready")
    if cache.writable(cache.folder()):
        cache.marker().touch()


def _speck() -> Avatar:
    """Return the smallest avatar: one triangle of skin."""
    three = np.ones((3, 3), np.float32)
    part = Part(
        name="speck",
        material=MATERIALS[0],
        positions=np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]], np.float32),
        normals=three,
        uvs=three[:, :2],
        triangles=np.array([[0, 1, 2]], np.int32),
        head_weight=three[:, 0],
        occlusion=three[:, :2],
        key_light=three[:, :2],
        color=three,
        extra=np.ones((3, 4), np.float32),
        morphs={"jawOpen": Morph(np.array([0], np.int32), three[:1], three[:1])},
    )
    skin = np.full((4, 4, 4), 128, np.uint8)
    return Avatar("speck", (part,), skin, np.zeros((2, 3), np.float32), 0.01, three[0], three[:2])

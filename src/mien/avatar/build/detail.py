"""The skin's relief, finer than its mesh, as a map of normals: pores, creases of the lips, lines of age."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.canvas import Canvas
from mien.avatar.build.complexion import mole, pore_zones
from mien.avatar.build.human import Doubles
from mien.avatar.build.noise import fractal_noise
from mien.avatar.build.person import Skin
from mien.avatar.build.texture import Texels

PORE, GRAIN, CREASE, FOLD, BUMP = 0.04, 0.046, 0.10, 0.42, 0.25  # mm
DECIMETRE = 100.0  # mm
STEEPEST = 0.75  # slope that the map holds at most
FINE_STEP = 1.4  # mm that two texels may span before relief fades


def relief(canvas: Canvas, looks: Skin, folds: Doubles) -> Doubles:
    """Return the height of the skin (N,) above its mesh, mm; `folds` (N,): see `wrinkles`."""
    pores = -PORE * (0.35 + looks.pores) * (1 - canvas.pores) * pore_zones(canvas)
    off = (1 - canvas.lips) * (1 - canvas.in_mouth)
    grain = GRAIN * (0.7 + 0.6 * looks.lines) * (fractal_noise(canvas.points * 62, 2) - 0.37) * off
    grain += 0.04 * (fractal_noise(canvas.points * 17 + 2.0, 2) - 0.37) * off
    height = pores + grain - FOLD * folds * off - CREASE * lip_creases(canvas) * canvas.lips
    for x, y, radius in looks.moles:
        height += BUMP * mole(canvas, x, y, radius)
    return np.asarray(height)


def lip_creases(canvas: Canvas) -> Doubles:
    """Return the lips' upright creases (N,), 0 to 1."""
    bend = 0.02 * fractal_noise(canvas.points * [10, 22, 10], 2)
    shifted = canvas.points + np.stack([bend, np.zeros_like(bend), np.zeros_like(bend)], 1)
    ridges = np.abs(fractal_noise(shifted * [58, 7, 7], 2) - 0.37) * 5
    return np.asarray(np.clip(1 - ridges, 0, 1))


def normal_map(height: Doubles, canvas: Canvas, texels: Texels) -> NDArray[np.uint8]:
    """Return the normals (size, size, 2) of a relief (N,): along u and v, 128 for none."""
    shape = (texels.size, texels.size)
    surface, covered = np.zeros((*shape, 3)), np.zeros(shape, bool)
    raised = np.zeros(shape)
    surface[texels.where], raised[texels.where], covered[texels.where] = canvas.points, height, True
    inner = covered.copy()
    for axis in (0, 1):
        inner &= np.roll(covered, 1, axis) & np.roll(covered, -1, axis)
    slopes, coarse = [], np.zeros(shape)
    for axis, sign in ((1, -1.0), (0, 1.0)):  # u grows with columns, v against rows
        step = np.roll(surface, -1, axis) - np.roll(surface, 1, axis)
        length = np.linalg.norm(step, axis=2) * DECIMETRE
        near = inner & (length < 6.0)  # further apart, they are neighbours only on the texture
        rise = np.roll(raised, -1, axis) - np.roll(raised, 1, axis)
        slopes.append(np.where(near, sign * rise / np.maximum(length, 0.05), 0))
        coarse = np.maximum(coarse, length)
    fade = np.minimum(1, FINE_STEP / np.maximum(coarse, FINE_STEP)) ** 2  # a stretched texel can not hold it
    slope = np.clip(np.stack(slopes, -1) * fade[..., None], -STEEPEST, STEEPEST)
    normal = slope / np.sqrt(1 + (slope**2).sum(axis=-1, keepdims=True))
    return np.asarray(np.round(128 + 127 * normal), np.uint8)

"""The light: every number of the lighting model that all renderers share. Its formulas: docs/avatars.md.

Lights are directions and colours (a white wall that faces one shows its colour); what comes from everywhere
else is `environment`, of which renderers take spherical harmonics up to order 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]

# Key (a large soft-box, upper left), fill (right), rims (behind, left and right).
TOWARDS = ((-0.55, 0.62, 0.72), (0.85, 0.10, 0.60), (-0.80, 0.38, -0.55), (0.82, 0.42, -0.55))
COLORS = ((1.62, 1.47, 1.31), (0.22, 0.26, 0.315), (1.00, 1.12, 1.26), (1.12, 1.02, 0.90))

# The studio around: axis, colour, sharpness of spherical Gaussians; and walls from floor to ceiling.
GLOWS = (
    ((-0.20, 1.00, 0.35), (0.74, 0.79, 0.86), 3.0),  # panels under the ceiling
    ((0.00, -1.00, 0.45), (0.36, 0.26, 0.20), 2.5),  # light that comes back from a wooden floor
    ((-0.90, 0.20, 0.35), (0.30, 0.28, 0.25), 3.0),  # wall beside the key
    ((0.95, 0.10, -0.10), (0.17, 0.21, 0.26), 3.0),  # window far away
)
WALLS = (0.055, 0.055, 0.060)

# Skin: how far light wraps around it, red furthest; how much its shadows bleed; how its light bends over.
WRAP, BLEED, BEND = (0.39, 0.22, 0.16), (0.42, 0.16, 0.06), 0.45
F0 = 0.028  # reflectance of skin, cornea and tear at normal incidence
LOBES = ((12, 0.72), (56, 0.28))  # Blinn-Phong exponents and weights of the two layers of skin's oil
DETAIL = 13.0  # exponent with which fine relief bends the gloss
DENTINE = (1.06, 1.00, 0.90)  # light that comes back from within a tooth

# Eyes, on the unit eyeball.
IRIS, PUPIL, DEPTH = 0.455, 0.33, 0.13
WHITE, VEIN = (0.49, 0.46, 0.44), (0.45, 0.25, 0.20)
WINDOW_AT, LAMP_AT = (-0.45, 0.52, 0.76), (0.62, 0.12, 0.80)  # where key and fill are mirrored
WINDOW = (0.13, 0.16, 0.035)  # half the width, half the height and the soft edge of the mirrored soft-box

_BANDS = np.array([0, 1, 1, 1, 2, 2, 2, 2, 2])
_DIFFUSE = np.array([1.0, 2 / 3, 1 / 4])  # Ramamoorthi and Hanrahan, 2001, over pi
_GLOSSY = np.array([1.0, 0.86, 0.62])  # a Gaussian lobe as wide as skin's gloss
_POINTS = 4096


def environment(directions: Vectors) -> Vectors:
    """Return the light (N, 3) that comes from `directions` (N, 3), unit vectors."""
    light = np.tile(np.array(WALLS), (len(directions), 1))
    for axis, color, sharpness in GLOWS:
        near = directions @ (np.array(axis) / np.linalg.norm(axis)) - 1.0
        light += np.exp(sharpness * near)[:, None] * color
    return light


def basis(n: Vectors) -> Vectors:
    """Return the nine polynomials (N, 9) of unit vectors (N, 3): 1, y, z, x, xy, yz, 3z²-1, xz, x²-y²."""
    x, y, z = n.T
    return np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y], axis=1)


def harmonics() -> tuple[Vectors, Vectors]:
    """Return (9, 3) twice: what a wall receives, and what gloss mirrors, as factors of `basis`."""
    i = np.arange(_POINTS) + 0.5
    z, turn = 1 - 2 * i / _POINTS, i * np.pi * (1 + np.sqrt(5))
    ring = np.sqrt(1 - z * z)
    sphere = np.stack([ring * np.cos(turn), ring * np.sin(turn), z], axis=1)
    values = basis(sphere)
    plain = values.T @ environment(sphere) / (values**2).sum(axis=0)[:, None]
    return plain * _DIFFUSE[_BANDS, None], plain * _GLOSSY[_BANDS, None]


def studio() -> NDArray[np.float32]:
    """Return the rig (26, 3): directions, colours, and both sets of harmonics; see `layout`."""
    towards = np.array(TOWARDS)
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    return np.concatenate([towards, np.array(COLORS), *harmonics()]).astype(np.float32)

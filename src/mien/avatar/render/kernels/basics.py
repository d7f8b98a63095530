"""What all materials share: dot products, harmonics, the gloss of one light."""

from __future__ import annotations

import math

from mien.avatar.render.jit import inline
from mien.avatar.render.layout import Floats
from mien.avatar.render.lights import F0, LOBES

Vector = tuple[float, float, float]
# Blinn-Phong normalised, times pi, times a quarter of Kelemen's visibility (Kelemen and Szirmay-Kalos, 2001).
_FIRST, _SECOND = (weight * (power + 2) / 8 for power, weight in LOBES)
_POWER, _SHARP = (power for power, _ in LOBES)


@inline
def clip(x: float) -> float:
    """Return `x` within 0 to 1."""
    return min(max(x, 0.0), 1.0)


@inline
def dot(a: Floats, row: int, x: Vector) -> float:
    """Return the product of a row of `a` and `x`."""
    total: float = a[row, 0] * x[0] + a[row, 1] * x[1] + a[row, 2] * x[2]
    return total


@inline
def inner(a: Vector, b: Vector) -> float:
    """Return the product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def halfway(rig: Floats, row: int, v: Vector) -> Vector:
    """Return the unit vector between light `row` and `v`."""
    x, y, z = rig[row, 0] + v[0], rig[row, 1] + v[1], rig[row, 2] + v[2]
    scale = 1.0 / math.sqrt(x * x + y * y + z * z + 1e-9)
    return x * scale, y * scale, z * scale


@inline
def gather(rig: Floats, row: int, n: Vector) -> Vector:
    """Return the light of the harmonics from `row` on in direction `n`, never below zero."""
    x, y, z = n
    xy, yz, zz, xz, xx = x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y
    r = rig[row, 0] + rig[row + 1, 0] * y + rig[row + 2, 0] * z + rig[row + 3, 0] * x + rig[row + 4, 0] * xy
    g = rig[row, 1] + rig[row + 1, 1] * y + rig[row + 2, 1] * z + rig[row + 3, 1] * x + rig[row + 4, 1] * xy
    b = rig[row, 2] + rig[row + 1, 2] * y + rig[row + 2, 2] * z + rig[row + 3, 2] * x + rig[row + 4, 2] * xy
    r += rig[row + 5, 0] * yz + rig[row + 6, 0] * zz + rig[row + 7, 0] * xz + rig[row + 8, 0] * xx
    g += rig[row + 5, 1] * yz + rig[row + 6, 1] * zz + rig[row + 7, 1] * xz + rig[row + 8, 1] * xx
    b += rig[row + 5, 2] * yz + rig[row + 6, 2] * zz + rig[row + 7, 2] * xz + rig[row + 8, 2] * xx
    return max(r, 0.0), max(g, 0.0), max(b, 0.0)


@inline
def gloss(rig: Floats, row: int, n: Vector, v: Vector) -> float:
    """Return what an oily surface mirrors of light `row` in its two layers, with Fresnel's grazing gain."""
    h = halfway(rig, row, v)
    near, turn = max(inner(n, h), 0.0), max(inner(v, h), 0.0)
    fresnel = F0 + (1.0 - F0) * (1.0 - turn) ** 5
    layers = _FIRST * near**_POWER + _SECOND * near**_SHARP
    return layers * fresnel / max(turn * turn, 0.1) * clip(dot(rig, row, n))


@inline
def mirror(n: Vector, v: Vector, facing: float) -> Vector:
    """Return where `v` is mirrored by a surface of normal `n`; `facing` is their product."""
    return 2.0 * facing * n[0] - v[0], 2.0 * facing * n[1] - v[1], 2.0 * facing * n[2] - v[2]

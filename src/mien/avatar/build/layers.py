"""How one layer of paint is laid over another."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.human import Doubles
from mien.avatar.build.person import Color


def to_srgb(linear: Doubles) -> Doubles:
    """Return linear light [0, 1] as sRGB (IEC 61966-2-1)."""
    return np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 0.0031308) ** (1 / 2.4) - 0.055
    )


def tint(albedo: Doubles, factor: Color | Doubles, amount: Doubles | float) -> Doubles:
    """Multiply by a colour, to an amount (N,)."""
    return np.asarray(albedo * (1 + (np.array(factor) - 1) * np.reshape(amount, (-1, 1))))


def cover(albedo: Doubles, color: Doubles, amount: Doubles) -> Doubles:
    """Lay a colour (3,) or (N, 3) over, to an amount (N,)."""
    return np.asarray(albedo + (color - albedo) * amount[:, None])

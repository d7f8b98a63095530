"""What one point of an eyeball looks like: iris under a clear cornea, white around it, wet all over."""

from __future__ import annotations

import math

from mien.avatar.model import Floats
from mien.avatar.render.jit import inline, kernel
from mien.avatar.render.layout import COLOR, FILL_LIGHT, GROUND, KEY_LIGHT, SKY

_IRIS = 0.455  # radius of the iris on the unit eyeball
_PUPIL = 0.34  # of the iris
_WHITE, _VEIN = (0.56, 0.525, 0.505), (0.50, 0.25, 0.21)
_WINDOW = (-0.4171, 0.4966, 0.7612)  # where the key light is mirrored
_LAMP = (0.5636, 0.1025, 0.8197)


@inline
def _smooth(low: float, high: float, x: float) -> float:
    """Return 0 below `low`, 1 above `high`, a smooth step between; `low` may be the larger one."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def eye(
    x: float, y: float, z: float, nx: float, ny: float, nz: float,
    openness: float, lid: float, turn: Floats, view: Floats, iris: Floats, rig: Floats,
) -> tuple[float, float, float]:  # fmt: skip
    """Return linear RGB.

    `x`, `y`, `z`: the point on the unit eyeball that looks along +z; `n*`: its normal in the world;
    `turn` (3, 3): eyeball to world; `view` (2, 3): towards the camera, up of the head; `lid`: height of
    the upper lid's shadow on the unit eyeball; `iris` (2, 3): its inner and outer colour.
    """
    vx, vy, vz = view[0, 0], view[0, 1], view[0, 2]
    lx = turn[0, 0] * vx + turn[1, 0] * vy + turn[2, 0] * vz
    ly = turn[0, 1] * vx + turn[1, 1] * vy + turn[2, 1] * vz
    radius = math.sqrt(x * x + y * y)
    depth = _smooth(_IRIS, 0.0, radius) * 0.11  # the iris lies behind the cornea: parallax
    u, v = x - lx * depth, y - ly * depth
    r, angle = math.sqrt(u * u + v * v) / _IRIS, math.atan2(v, u)
    fibre = 0.5 + 0.25 * math.sin(angle * 23.0 + 1.3 * math.sin(angle * 7.0 + r * 5.0))
    fibre += 0.25 * math.sin(angle * 61.0 + 2.0 * math.sin(angle * 13.0) + r * 3.0)
    shade = 0.62 + 0.75 * fibre * (0.4 + 0.6 * min(max((r - 0.3) / 0.3, 0.0), 1.0))
    shade *= 1.5 - 0.5 * _smooth(_PUPIL, 0.55, r)
    shade *= 1.0 - 0.78 * _smooth(0.74, 1.0, r)  # limbal ring
    shade *= 1.35 - 0.73 * min(max((v / _IRIS + 0.5) / 1.1, 0.0), 1.0)  # light gathers below
    shade *= _smooth(_PUPIL, _PUPIL + 0.07, r)
    inside, vein, mix = _smooth(1.08, 0.92, r), _smooth(0.62, 0.98, radius) * 0.40, _smooth(0.25, 0.95, r)
    scale = 1.0 / math.sqrt(0.36 * (x * x + y * y) + 1.0)  # the iris is a bowl: it faces inwards
    ix, iy, iz = -0.6 * x * scale, -0.6 * y * scale, scale
    wx = turn[0, 0] * ix + turn[0, 1] * iy + turn[0, 2] * iz
    wy = turn[1, 0] * ix + turn[1, 1] * iy + turn[1, 2] * iz
    wz = turn[2, 0] * ix + turn[2, 1] * iy + turn[2, 2] * iz
    bowl = wx * rig[KEY_LIGHT, 0] + wy * rig[KEY_LIGHT, 1] + wz * rig[KEY_LIGHT, 2]
    ball = nx * rig[KEY_LIGHT, 0] + ny * rig[KEY_LIGHT, 1] + nz * rig[KEY_LIGHT, 2]
    white = min(max((ball + 0.3) / 1.3, 0.0), 1.0)
    direct = white + (min(max(bowl * 0.7 + 0.35, 0.0), 1.0) - white) * inside
    fill = nx * rig[FILL_LIGHT, 0] + ny * rig[FILL_LIGHT, 1] + nz * rig[FILL_LIGHT, 2]
    fill = min(max(fill * 0.6 + 0.4, 0.0), 1.0)
    facing = max(nx * vx + ny * vy + nz * vz, 0.0)
    mx, my, mz = 2.0 * facing * nx - vx, 2.0 * facing * ny - vy, 2.0 * facing * nz - vz
    glint = _smooth(0.958, 0.982, mx * _WINDOW[0] + my * _WINDOW[1] + mz * _WINDOW[2]) * 1.15
    glint += _smooth(0.975, 0.990, mx * _LAMP[0] + my * _LAMP[1] + mz * _LAMP[2]) * 0.2
    height = (turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z) * view[1, 0]
    height += (turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z) * view[1, 1]
    height += (turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z) * view[1, 2]
    shadow = 0.30 + 0.70 * _smooth(lid + 0.14, lid - 0.52, height)
    shadow *= 1.0 - 0.35 * _smooth(0.45, 0.95, radius)  # the lids' corners are hollow
    tear = _smooth(lid - 0.78, lid - 0.92, height) * 0.10 * openness  # a wet line on the lower lid
    shine, graze = _smooth(0.12, 0.5, openness), (1.0 - facing) ** 5 * 0.18 * openness
    red = green = blue = 0.0
    for c in range(3):
        ring = (iris[0, c] + (iris[1, c] - iris[0, c]) * mix) * shade
        ground = _WHITE[c] + (_VEIN[c] - _WHITE[c]) * vein
        albedo = ground + (ring - ground) * inside
        sky = rig[GROUND, c] + (rig[SKY, c] - rig[GROUND, c]) * (ny * 0.5 + 0.5)
        mirror = rig[GROUND, c] + (rig[SKY, c] - rig[GROUND, c]) * (my * 0.5 + 0.5)
        value = (
            albedo * (rig[COLOR, c] * direct + rig[COLOR + FILL_LIGHT, c] * fill + sky) * openness * shadow
        )
        value += (glint + tear) * shine + mirror * (graze + 0.03)
        if c == 0:
            red = value
        elif c == 1:
            green = value
        else:
            blue = value
    return red, green, blue

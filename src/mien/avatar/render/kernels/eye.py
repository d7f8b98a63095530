"""What one point of an eyeball looks like: iris under a clear cornea, white around it, wet all over."""

from __future__ import annotations

import math

import numpy as np

from mien.avatar.render.jit import inline, kernel
from mien.avatar.render.kernels.basics import Vector, clip, dot, gather, inner, mirror
from mien.avatar.render.layout import COLOR, FILL_LIGHT, KEY_LIGHT, MIRROR, WALL, Floats
from mien.avatar.render.lights import DEPTH, F0, IRIS, LAMP_AT, PUPIL, VEIN, WHITE, WINDOW, WINDOW_AT


def _unit(x: float, y: float, z: float) -> Vector:
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


_FRONT, _LAMP = _unit(*WINDOW_AT), _unit(*LAMP_AT)
_SIDE = _unit(_FRONT[2], 0.0, -_FRONT[0])  # to the right of who looks at the soft-box
_TOP: Vector = tuple(np.cross(_FRONT, _SIDE).tolist())


@inline
def smooth(low: float, high: float, x: float) -> float:
    """Return 0 below `low`, 1 above `high`, a smooth step between; `low` may be the larger one."""
    t = clip((x - low) / (high - low))
    return t * t * (3.0 - 2.0 * t)


@inline
def pattern(u: float, v: float, r: float) -> float:
    """Return how bright the iris is at `u`, `v`, at `r` radii of the iris from its middle."""
    angle = math.atan2(v, u)
    fibre = 0.5 + 0.22 * math.sin(angle * 23.0 + 1.3 * math.sin(angle * 7.0 + r * 5.0))
    fibre += 0.20 * math.sin(angle * 61.0 + 2.0 * math.sin(angle * 13.0) + r * 3.0)
    fibre += 0.10 * math.sin(angle * 37.0 - r * 11.0)
    bright = 0.55 + 0.85 * fibre * (0.4 + 0.6 * clip((r - 0.3) / 0.3))
    bright *= 1.35 - 0.35 * smooth(PUPIL, 0.58, r)  # the collarette around the pupil
    bright *= 1.0 - 0.85 * smooth(0.70, 1.0, r)  # limbal ring
    return bright * smooth(PUPIL - 0.02, PUPIL + 0.07, r)


@inline
def glints(m: Vector) -> float:
    """Return how much of the soft-box and of the fill light is mirrored in direction `m`."""
    across, up, front = inner(m, _SIDE), inner(m, _TOP), inner(m, _FRONT)
    edge = WINDOW[2]
    box = smooth(WINDOW[0] + edge, WINDOW[0] - edge, abs(across))
    box *= smooth(WINDOW[1] + edge, WINDOW[1] - edge, abs(up))
    lamp = smooth(0.985, 0.997, inner(m, _LAMP))
    return box * (0.95 + 1.2 * up) * (1.0 if front > 0.0 else 0.0) + lamp * 0.10


@inline
def layered(
    c: int, iris: Floats, rig: Floats, ring: Vector, white: Vector, around: Vector, wall: float, seen: float
) -> float:
    """Return one channel: iris or white, lit by key, fill and walls, under what the wet surface mirrors."""
    within, mix, bright = ring
    vein, spot, film = white
    direct, fill, open_ = around
    inside = (iris[0, c] + (iris[1, c] - iris[0, c]) * mix) * bright
    ground = WHITE[c] + (VEIN[c] - WHITE[c]) * vein
    albedo = ground + (inside - ground) * within
    light = rig[COLOR, c] * direct + rig[COLOR + FILL_LIGHT, c] * fill + wall
    total: float = albedo * light * open_ + spot + seen * film
    return total


@kernel
def eye(
    p: Vector, n: Vector, openness: float, shine: float, lid: float,
    turn: Floats, view: Floats, iris: Floats, rig: Floats,
) -> Vector:  # fmt: skip
    """Return linear RGB.

    `p`: the point on the unit eyeball that looks along +z; `n`: its normal in the world; `turn` (3, 3):
    eyeball to world; `view` (2, 3): towards the camera, up of the head; `lid`: height of the upper lid's
    shadow on the unit eyeball; `iris` (2, 3): its inner and outer colour.
    """
    v, up = (view[0, 0], view[0, 1], view[0, 2]), (view[1, 0], view[1, 1], view[1, 2])
    lx = turn[0, 0] * v[0] + turn[1, 0] * v[1] + turn[2, 0] * v[2]
    ly = turn[0, 1] * v[0] + turn[1, 1] * v[1] + turn[2, 1] * v[2]
    radius = math.sqrt(p[0] * p[0] + p[1] * p[1])
    deep = smooth(IRIS, 0.0, radius) * DEPTH  # the iris lies behind the cornea: parallax
    x, y = p[0] - lx * deep, p[1] - ly * deep
    r = math.sqrt(x * x + y * y) / IRIS
    gathered = 1.0 + 0.55 * clip((x * 0.55 - y * 0.75) / IRIS)  # the cornea throws light across the iris
    within = smooth(1.10, 0.90, r)
    bright = pattern(x, y, r) * gathered if within > 0.0 else 0.0
    height = dot(turn, 0, p) * up[0] + dot(turn, 1, p) * up[1] + dot(turn, 2, p) * up[2]
    shadow = 0.26 + 0.74 * smooth(lid + 0.16, lid - 0.50, height)  # of the upper lid and its lashes
    shadow *= 1.0 - 0.56 * smooth(0.42, 0.95, radius)  # the corners are hollow
    inward = (-0.5 * p[0], -0.5 * p[1], 0.87)  # the iris is a bowl
    flat = clip(
        dot(rig, KEY_LIGHT, (dot(turn, 0, inward), dot(turn, 1, inward), dot(turn, 2, inward))) * 0.7 + 0.35
    )
    ball = clip((dot(rig, KEY_LIGHT, n) + 0.35) / 1.35)
    direct = (ball + (flat - ball) * within) * (0.35 + 0.65 * shine) * 0.8
    fill, facing = clip(dot(rig, FILL_LIGHT, n) * 0.6 + 0.4), max(inner(n, v), 0.0)
    m = mirror(n, v, facing)
    wall, seen, wet = gather(rig, WALL, n), gather(rig, MIRROR, m), smooth(0.10, 0.45, openness)
    tear = smooth(lid - 0.80, lid - 0.92, height) * 0.09 * openness  # a wet line on the lower lid
    spot = glints(m) * wet * smooth(lid + 0.10, lid - 0.12, height) + tear
    film = (F0 + (1.0 - F0) * (1.0 - facing) ** 5) * openness
    vein, mix = smooth(0.58, 0.98, radius) * 0.45, smooth(0.25, 0.95, r)
    around = (direct, fill, openness * shadow)
    ring, white = (within, mix, bright), (vein, spot, film)
    return (
        layered(0, iris, rig, ring, white, around, wall[0], seen[0]),
        layered(1, iris, rig, ring, white, around, wall[1], seen[1]),
        layered(2, iris, rig, ring, white, around, wall[2], seen[2]),
    )

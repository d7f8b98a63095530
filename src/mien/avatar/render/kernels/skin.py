"""The light of skin: wrapped, as light that goes under it comes out beside (Green, GPU Gems, ch. 16)."""

from __future__ import annotations

import math

from mien.avatar.render.jit import inline
from mien.avatar.render.kernels.basics import Vector, clip, dot, gather, gloss, halfway, inner, mirror
from mien.avatar.render.layout import (
    COLOR,
    DIFFUSE,
    FILL_LIGHT,
    GLINT,
    HAND,
    HEAD,
    KEY_LIGHT,
    MIRROR,
    RELIEF,
    RIM_LEFT,
    RIM_RIGHT,
    SPECULAR,
    TANGENT,
    WALL,
    Floats,
    X,
)
from mien.avatar.render.lights import BEND, BLEED, DETAIL, F0, WRAP


@inline
def skin(
    i: int, static: Floats, rig: Floats, head: Floats, openness: float, shine: float, n: Vector, v: Vector,
    lit: Floats,
) -> None:  # fmt: skip
    """Set the light of a vertex of skin."""
    key, fill = dot(rig, KEY_LIGHT, n), dot(rig, FILL_LIGHT, n)
    left, right = clip(dot(rig, RIM_LEFT, n) + 0.1), clip(dot(rig, RIM_RIGHT, n) + 0.1)
    facing = max(inner(n, v), 0.0)
    graze = (1.0 - facing) ** 5
    inside, soft, dim = static[i, X], math.sqrt(max(openness, 0.0)), math.sqrt(max(shine, 0.0))
    wall, seen = gather(rig, WALL, n), gather(rig, MIRROR, mirror(n, v, facing))
    shiny = gloss(rig, KEY_LIGHT, n, v) * shine, gloss(rig, FILL_LIGHT, n, v) * openness
    edges = gloss(rig, RIM_LEFT, n, v) * openness, gloss(rig, RIM_RIGHT, n, v) * openness
    sheen = (F0 + 0.5 * graze) * openness
    for c in range(3):
        wrap, bleed = WRAP[c], BLEED[c]
        direct, side = clip((key + wrap) / (1.0 + wrap)), clip((fill + wrap) / (1.0 + wrap))
        direct *= (1.0 - BEND + BEND * direct) * (shine + (dim - shine) * bleed)
        free = openness * (0.55 + 0.45 * openness)
        free += (soft - free) * bleed
        rims = rig[COLOR + RIM_LEFT, c] * left + rig[COLOR + RIM_RIGHT, c] * right
        around = rig[COLOR + FILL_LIGHT, c] * side + wall[c]
        diffuse = rig[COLOR, c] * direct * (0.7 + 0.3 * free) + around * free + rims * 0.3 * openness
        lit[i, DIFFUSE + c] = diffuse * (1.0 - 0.35 * inside)
        glow = rig[COLOR, c] * shiny[0] + rig[COLOR + FILL_LIGHT, c] * shiny[1] + seen[c] * sheen
        glow += (rig[COLOR + RIM_LEFT, c] * edges[0] + rig[COLOR + RIM_RIGHT, c] * edges[1]) * 0.6
        lit[i, SPECULAR + c] = 2.0 * glow * (1.0 - 0.6 * inside)
    relief(i, static, rig, head, shine, key, n, v, lit)


@inline
def relief(
    i: int, static: Floats, rig: Floats, head: Floats, shine: float, key: float, n: Vector, v: Vector,
    lit: Floats,
) -> None:  # fmt: skip
    """Set how light and gloss change where fine relief tilts the normal along u and along v."""
    weight, t = static[i, HEAD], TANGENT
    x, y, z = static[i, t], static[i, t + 1], static[i, t + 2]
    tx = x + (head[0, 0] * x + head[0, 1] * y + head[0, 2] * z - x) * weight
    ty = y + (head[1, 0] * x + head[1, 1] * y + head[1, 2] * z - y) * weight
    tz = z + (head[2, 0] * x + head[2, 1] * y + head[2, 2] * z - z) * weight
    along = (tx, ty, tz)
    hand = static[i, HAND]
    up = (hand * (n[1] * tz - n[2] * ty), hand * (n[2] * tx - n[0] * tz), hand * (n[0] * ty - n[1] * tx))
    wrap = WRAP[1]
    s = clip((key + wrap) / (1.0 + wrap))
    slope = (1.0 - BEND + 2.0 * BEND * s) / (1.0 + wrap) * shine if s > 0.0 else 0.0
    lit[i, RELIEF] = slope * dot(rig, KEY_LIGHT, along) + 0.18 * dot(rig, FILL_LIGHT, along)
    lit[i, RELIEF + 1] = slope * dot(rig, KEY_LIGHT, up) + 0.18 * dot(rig, FILL_LIGHT, up)
    h = halfway(rig, KEY_LIGHT, v)
    sharp = DETAIL / max(inner(n, h), 0.4)
    lit[i, GLINT], lit[i, GLINT + 1] = sharp * inner(h, along), sharp * inner(h, up)

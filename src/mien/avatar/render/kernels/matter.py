"""The light of hair (Kajiya and Kay, 1989, its highlights shifted as Marschner's), cloth, and what is wet."""

from __future__ import annotations

import math

from mien.avatar.render.jit import inline
from mien.avatar.render.kernels.basics import Vector, clip, dot, gather, halfway, inner
from mien.avatar.render.layout import (
    COLOR,
    DIFFUSE,
    EYEBALL,
    FILL_LIGHT,
    KEY_LIGHT,
    KIND,
    RED,
    RIM_LEFT,
    RIM_RIGHT,
    SPECULAR,
    STRAND,
    TEETH,
    WALL,
    Floats,
    X,
    Y,
    Z,
)
from mien.avatar.render.lights import DENTINE


@inline
def hair(
    i: int, static: Floats, rig: Floats, head: Floats, openness: float, shine: float, n: Vector, v: Vector,
    lit: Floats,
) -> None:  # fmt: skip
    """Set the light of a vertex of hair."""
    if inner(n, v) < 0.0:
        n = (-0.3 * n[0], -0.3 * n[1], -0.3 * n[2])
    own = (static[i, X], static[i, Y], static[i, Z])
    t = (dot(head, 0, own), dot(head, 1, own), dot(head, 2, own))
    along = dot(rig, KEY_LIGHT, t)
    across = math.sqrt(max(1.0 - along * along, 0.0))
    side, fill = clip(dot(rig, KEY_LIGHT, n) * 0.65 + 0.35), clip(dot(rig, FILL_LIGHT, n) * 0.5 + 0.5)
    h = halfway(rig, KEY_LIGHT, v)
    th, nh = inner(t, h), inner(n, h)
    root, tip = th - 0.14 * nh, th + 0.08 * nh  # shifted by the scales of a hair
    second = math.exp(-12.0 * root * root) * 0.48  # through the hair: coloured
    first = math.exp(-46.0 * tip * tip) * 0.055  # off its surface: white
    th = inner(t, halfway(rig, FILL_LIGHT, v))
    third = math.exp(-18.0 * th * th) * 0.3
    left, right = clip(dot(rig, RIM_LEFT, n)), clip(dot(rig, RIM_RIGHT, n))
    shadow, hollow, wall = 0.22 + 0.78 * shine, 0.45 + 0.55 * openness, gather(rig, WALL, n)
    for c in range(3):
        base = static[i, RED + c]
        rim = (rig[COLOR + RIM_LEFT, c] * left + rig[COLOR + RIM_RIGHT, c] * right) * openness
        diffuse = rig[COLOR, c] * across * side * side * shadow + wall[c] * (0.25 + 0.95 * openness)
        diffuse += rig[COLOR + FILL_LIGHT, c] * (0.15 + 0.6 * openness) * fill + rim
        lit[i, DIFFUSE + c] = base * diffuse * hollow
        glow = rig[COLOR, c] * (first + second * base) * side * shadow * openness
        glow += (rig[COLOR + FILL_LIGHT, c] * third + rim * 0.25) * base * openness
        lit[i, SPECULAR + c] = glow * hollow


@inline
def cloth(
    i: int, static: Floats, rig: Floats, openness: float, shine: float, n: Vector, v: Vector, lit: Floats
) -> None:
    """Set the light of a vertex of cloth, or of anything from elsewhere."""
    key, fill = dot(rig, KEY_LIGHT, n), dot(rig, FILL_LIGHT, n)
    left, right = clip(dot(rig, RIM_LEFT, n)), clip(dot(rig, RIM_RIGHT, n))
    fuzz = (1.0 - max(inner(n, v), 0.0)) ** 3 * 0.35
    direct, side, wall = clip((key + 0.12) / 1.12) * shine, clip(fill * 0.7 + 0.3), gather(rig, WALL, n)
    free = openness * (0.6 + 0.4 * openness)
    for c in range(3):
        base = static[i, RED + c]
        rim = (rig[COLOR + RIM_LEFT, c] * left + rig[COLOR + RIM_RIGHT, c] * right) * openness
        around = (rig[COLOR + FILL_LIGHT, c] * side + wall[c]) * (1.0 + fuzz) * free
        lit[i, DIFFUSE + c] = base * (rig[COLOR, c] * direct + around) + rim * (base * 0.6 + 0.01)
        lit[i, SPECULAR + c] = 0.0


@inline
def wet(
    i: int, static: Floats, rig: Floats, openness: float, shine: float, n: Vector, v: Vector, lit: Floats
) -> None:
    """Set the light of teeth, tongue and eyeballs from elsewhere, and of brows and lashes, which are dry."""
    fill, wall, kind = dot(rig, FILL_LIGHT, n), gather(rig, WALL, n), int(static[i, KIND])
    sheen = max(inner(n, halfway(rig, KEY_LIGHT, v)), 0.0)
    bright = 0.0 if kind == STRAND else (sheen**72 * 0.95 + sheen**14 * 0.16) * shine
    direct = clip(dot(rig, KEY_LIGHT, n) * 0.6 + 0.4) * (0.55 + 0.45 * shine) * 0.75
    side = clip(fill * 0.5 + 0.5) * 0.8
    for c in range(3):
        diffuse = rig[COLOR, c] * direct + rig[COLOR + FILL_LIGHT, c] * side + wall[c]
        if kind == TEETH:
            diffuse *= DENTINE[c]
        glow = bright * rig[COLOR, c] * openness
        body = static[i, RED + c] * diffuse * openness
        apart = kind == EYEBALL  # its picture must not tint the highlight
        lit[i, DIFFUSE + c] = body if apart else body + glow
        lit[i, SPECULAR + c] = glow if apart else 0.0

"""The colour of one point of a triangle, for the screen."""

from __future__ import annotations

import numpy as np

from mien.avatar.model import Floats, Ints
from mien.avatar.render.jit import inline
from mien.avatar.render.kernels.eye import eye
from mien.avatar.render.layout import (
    DIFFUSE,
    EYE,
    EYEBALL,
    HAIR,
    MATERIAL,
    PLAIN,
    SKIN,
    SPECULAR,
    A,
    B,
    C,
    U,
    V,
    W,
    X,
    Y,
    Z,
)
from mien.avatar.render.tone import STEPS

_ZERO, _ONE, _HALF = np.float32(0.0), np.float32(1.0), np.float32(0.5)
_TINY = np.float32(1e-6)
_STEPS = np.float32(STEPS)
_LIFT = np.float32(0.42)
_GLINT, _SPARKLE = np.float32(0.3), np.float32(1.4)
Color = tuple[np.float32, np.float32, np.float32]


@inline
def _show(light_: np.float32, table: Floats) -> np.float32:
    level: np.float32 = table[min(max(int(light_ * _STEPS), 0), table.shape[0] - 1)]
    return level


@inline
def _mix(
    skin: Floats, row: np.uintp, column: np.uintp, channel: int,
    g0: np.float32, g1: np.float32, g2: np.float32, g3: np.float32,
) -> np.float32:  # fmt: skip
    right, down = column + np.uintp(1), row + np.uintp(1)
    upper: np.float32 = skin[row, column, channel] * g0 + skin[row, right, channel] * g1
    lower: np.float32 = skin[down, column, channel] * g2 + skin[down, right, channel] * g3
    return upper + lower


@inline
def shade(
    t: int, x: np.float32, y: np.float32, faces: Ints, clip: Floats, static: Floats, rig: Floats,
    turns: Floats, lids: Floats, view: Floats, iris: Floats,
    skin: Floats, hair: Floats, table: Floats, lit: Floats,
) -> Color:  # fmt: skip
    """Return sRGB, 0 to 255, of triangle `t`, whose vertices are lit, at `x`, `y` in samples."""
    a, b, c = np.uintp(faces[t, A]), np.uintp(faces[t, B]), np.uintp(faces[t, C])
    px, py = x - clip[a, 0], y - clip[a, 1]
    bx, by = clip[b, 0] - clip[a, 0], clip[b, 1] - clip[a, 1]
    cx, cy = clip[c, 0] - clip[a, 0], clip[c, 1] - clip[a, 1]
    area = bx * cy - cx * by
    scale = _ONE / area if abs(area) > _TINY else _ZERO
    p = min(max((px * cy - cx * py) * scale, _ZERO), _ONE)
    q = min(max((bx * py - px * by) * scale, _ZERO), _ONE - p)
    o = _ONE - p - q
    red = lit[a, DIFFUSE] * o + lit[b, DIFFUSE] * p + lit[c, DIFFUSE] * q
    green = lit[a, DIFFUSE + 1] * o + lit[b, DIFFUSE + 1] * p + lit[c, DIFFUSE + 1] * q
    blue = lit[a, DIFFUSE + 2] * o + lit[b, DIFFUSE + 2] * p + lit[c, DIFFUSE + 2] * q
    kind = faces[t, MATERIAL]
    if kind in (SKIN, HAIR, PLAIN, EYEBALL):
        u = static[a, U] * o + static[b, U] * p + static[c, U] * q
        v = static[a, V] * o + static[b, V] * p + static[c, V] * q
        shiny_red = lit[a, SPECULAR] * o + lit[b, SPECULAR] * p + lit[c, SPECULAR] * q
        shiny_green = lit[a, SPECULAR + 1] * o + lit[b, SPECULAR + 1] * p + lit[c, SPECULAR + 1] * q
        shiny_blue = lit[a, SPECULAR + 2] * o + lit[b, SPECULAR + 2] * p + lit[c, SPECULAR + 2] * q
        if kind != HAIR:
            column = np.uintp(min(max(int(u), 0), skin.shape[1] - 2))
            row = np.uintp(min(max(int(v), 0), skin.shape[0] - 2))
            fu, fv = u - np.float32(column), v - np.float32(row)
            g3 = fu * fv
            g1, g2 = fu - g3, fv - g3
            g0 = _ONE - fu - g2
            gloss = _mix(skin, row, column, 3, g0, g1, g2, g3)
            red = red * _mix(skin, row, column, 0, g0, g1, g2, g3) + gloss * shiny_red
            green = green * _mix(skin, row, column, 1, g0, g1, g2, g3) + gloss * shiny_green
            blue = blue * _mix(skin, row, column, 2, g0, g1, g2, g3) + gloss * shiny_blue
        else:
            column = np.uintp(min(max(int(u), 0), hair.shape[1] - 2))
            row = np.uintp(min(max(int(v), 0), hair.shape[0] - 2))
            right, down = column + np.uintp(1), row + np.uintp(1)
            fu, fv = u - np.float32(column), v - np.float32(row)
            upper = hair[row, column] + (hair[row, right] - hair[row, column]) * fu
            lower = hair[down, column] + (hair[down, right] - hair[down, column]) * fu
            strand = upper + (lower - upper) * fv
            body, sparkle = _LIFT + (_ONE - _LIFT) * (strand + strand), _GLINT + _SPARKLE * strand
            red = red * body + shiny_red * sparkle
            green = green * body + shiny_green * sparkle
            blue = blue * body + shiny_blue * sparkle
    elif kind == EYE:
        side = 1 if static[a, W] > _HALF else 0
        ex = static[a, X] * o + static[b, X] * p + static[c, X] * q
        ey = static[a, Y] * o + static[b, Y] * p + static[c, Y] * q
        ez = static[a, Z] * o + static[b, Z] * p + static[c, Z] * q
        scale = _ONE / np.sqrt(ex * ex + ey * ey + ez * ez + _TINY)
        openness = lit[a, SPECULAR] * o + lit[b, SPECULAR] * p + lit[c, SPECULAR] * q
        length = _ONE / np.sqrt(red * red + green * green + blue * blue + _TINY)
        red, green, blue = eye(
            ex * scale, ey * scale, ez * scale, red * length, green * length, blue * length,
            openness, lids[side], turns[side], view, iris, rig,
        )  # fmt: skip
    return _show(red, table), _show(green, table), _show(blue, table)

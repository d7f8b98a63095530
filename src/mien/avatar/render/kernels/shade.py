"""The colour of one point of a triangle, for the screen."""

from __future__ import annotations

import numpy as np

from mien.avatar.render.jit import inline
from mien.avatar.render.kernels.eye import eye
from mien.avatar.render.layout import (
    COLOR,
    DIFFUSE,
    EYE,
    EYEBALL,
    GLINT,
    HAIR,
    MATERIAL,
    PLAIN,
    RELIEF,
    SCREEN,
    SKIN,
    SPECULAR,
    TEXEL,
    A,
    B,
    Bytes,
    C,
    Floats,
    Model,
    Moment,
    W,
    X,
    Y,
    Z,
)
from mien.avatar.render.tone import STEPS

_ZERO, _ONE, _TWO, _HALF = np.float32(0.0), np.float32(1.0), np.float32(2.0), np.float32(0.5)
_TINY, _STEPS, _MOST = np.float32(1e-6), np.float32(STEPS), np.float32(8.0)
_LIFT, _GLINT, _SPARKLE = np.float32(0.34), np.float32(0.25), np.float32(1.5)
_UNIT, _FLAT, _TILT = np.float32(1 / 255), np.float32(128), np.float32(1 / 127)
Color = tuple[np.float32, np.float32, np.float32]


@inline
def show(light: np.float32, table: Floats) -> np.float32:
    """Return the level on the screen, 0 to 255, of linear light."""
    level: np.float32 = table[np.uintp(min(int(np.sqrt(max(light, _ZERO)) * _STEPS), table.shape[0] - 1))]
    return level


@inline
def blend(
    lit: Floats, column: int, a: np.uintp, b: np.uintp, c: np.uintp, p: np.float32, q: np.float32
) -> np.float32:
    """Return a column of `lit` between three vertices."""
    start = lit[a, column]
    mixed: np.float32 = start + (lit[b, column] - start) * p + (lit[c, column] - start) * q
    return mixed


@inline
def texel(
    skin: Bytes, row: np.uintp, column: np.uintp, channel: int, fu: np.float32, fv: np.float32
) -> np.float32:
    """Return one channel of the skin, 0 to 255, between four texels."""
    right, down = column + np.uintp(1), row + np.uintp(1)
    a, b = np.float32(skin[row, column, channel]), np.float32(skin[row, right, channel])
    c, d = np.float32(skin[down, column, channel]), np.float32(skin[down, right, channel])
    upper, lower = a + (b - a) * fu, c + (d - c) * fu
    mixed: np.float32 = upper + (lower - upper) * fv
    return mixed


@inline
def streak(hair: Floats, row: np.uintp, column: np.uintp, fu: np.float32, fv: np.float32) -> np.float32:
    """Return the brightness of hair between four texels."""
    right, down = column + np.uintp(1), row + np.uintp(1)
    upper = hair[row, column] + (hair[row, right] - hair[row, column]) * fu
    lower = hair[down, column] + (hair[down, right] - hair[down, column]) * fu
    mixed: np.float32 = upper + (lower - upper) * fv
    return mixed


@inline
def textured(
    kind: int,
    model: Model,
    lit: Floats,
    a: np.uintp,
    b: np.uintp,
    c: np.uintp,
    p: np.float32,
    q: np.float32,
    color: Color,
) -> Color:
    """Return linear light of skin, of hair, or of a foreign surface that has a picture."""
    u, v = blend(lit, TEXEL, a, b, c, p, q), blend(lit, TEXEL + 1, a, b, c, p, q)
    red, green, blue = color
    shiny_red = blend(lit, SPECULAR, a, b, c, p, q)
    shiny_green = blend(lit, SPECULAR + 1, a, b, c, p, q)
    shiny_blue = blend(lit, SPECULAR + 2, a, b, c, p, q)
    height = model.hair.shape[0] if kind == HAIR else model.skin.shape[0]
    width = model.hair.shape[1] if kind == HAIR else model.skin.shape[1]
    column, row = np.uintp(min(max(int(u), 0), width - 2)), np.uintp(min(max(int(v), 0), height - 2))
    fu, fv = u - np.float32(column), v - np.float32(row)
    if kind == HAIR:
        strand = streak(model.hair, row, column, fu, fv)
        body, sparkle = _LIFT + (_ONE - _LIFT) * _TWO * strand, _GLINT + _SPARKLE * strand
        return (
            red * body + shiny_red * sparkle,
            green * body + shiny_green * sparkle,
            (blue * body + shiny_blue * sparkle),
        )
    skin, rig = model.skin, model.rig
    r, g, b_ = (
        texel(skin, row, column, 0, fu, fv) * _UNIT,
        texel(skin, row, column, 1, fu, fv) * _UNIT,
        texel(skin, row, column, 2, fu, fv) * _UNIT,
    )
    gloss = texel(skin, row, column, 3, fu, fv) * _UNIT
    if kind == SKIN:
        tu = (texel(skin, row, column, 4, fu, fv) - _FLAT) * _TILT
        tv = (texel(skin, row, column, 5, fu, fv) - _FLAT) * _TILT
        bend = blend(lit, RELIEF, a, b, c, p, q) * tu + blend(lit, RELIEF + 1, a, b, c, p, q) * tv
        red, green, blue = (
            red + rig[COLOR, 0] * bend,
            green + rig[COLOR, 1] * bend,
            blue + rig[COLOR, 2] * bend,
        )
        tilt = blend(lit, GLINT, a, b, c, p, q) * tu + blend(lit, GLINT + 1, a, b, c, p, q) * tv
        tilt = _ONE + _HALF * min(max(tilt, -_TWO), _TWO)
        gloss = gloss * tilt * tilt
    return (
        red * r * r + gloss * shiny_red,
        green * g * g + gloss * shiny_green,
        blue * b_ * b_ + gloss * shiny_blue,
    )


@inline
def look(
    model: Model, moment: Moment, lit: Floats, a: np.uintp, b: np.uintp, c: np.uintp,
    p: np.float32, q: np.float32, normal: Color,
) -> Color:  # fmt: skip
    """Return linear light of an eyeball, whose vertices keep normals in place of light."""
    static, o = model.static, _ONE - p - q
    side = 1 if static[a, W] > _HALF else 0
    x = static[a, X] * o + static[b, X] * p + static[c, X] * q
    y = static[a, Y] * o + static[b, Y] * p + static[c, Y] * q
    z = static[a, Z] * o + static[b, Z] * p + static[c, Z] * q
    scale = _ONE / np.sqrt(x * x + y * y + z * z + _TINY)
    nx, ny, nz = normal
    length = _ONE / np.sqrt(nx * nx + ny * ny + nz * nz + _TINY)
    openness, shine = float(blend(lit, 3, a, b, c, p, q)), float(blend(lit, 4, a, b, c, p, q))
    red, green, blue = eye(
        (x * scale, y * scale, z * scale), (nx * length, ny * length, nz * length),
        openness, shine, moment.lids[side], moment.turns[side], moment.sight, model.iris, model.rig,
    )  # fmt: skip
    return np.float32(red), np.float32(green), np.float32(blue)


@inline
def shade(t: int, x: np.float32, y: np.float32, model: Model, moment: Moment, lit: Floats) -> Color:
    """Return sRGB, 0 to 255, of triangle `t`, whose vertices are lit, at `x`, `y` in samples."""
    a, b, c = np.uintp(model.faces[t, A]), np.uintp(model.faces[t, B]), np.uintp(model.faces[t, C])
    left, top = lit[a, SCREEN], lit[a, SCREEN + 1]
    px, py = x - left, y - top
    bx, by = lit[b, SCREEN] - left, lit[b, SCREEN + 1] - top
    cx, cy = lit[c, SCREEN] - left, lit[c, SCREEN + 1] - top
    area = bx * cy - cx * by
    scale = _ONE / area if abs(area) > _TINY else _ZERO
    p = min(max((px * cy - cx * py) * scale, _ZERO), _ONE)
    q = min(max((bx * py - px * by) * scale, _ZERO), _ONE - p)
    color = (
        blend(lit, DIFFUSE, a, b, c, p, q),
        blend(lit, DIFFUSE + 1, a, b, c, p, q),
        blend(lit, DIFFUSE + 2, a, b, c, p, q),
    )
    kind = model.faces[t, MATERIAL]
    if kind in (SKIN, HAIR, PLAIN, EYEBALL):
        color = textured(kind, model, lit, a, b, c, p, q, color)
    elif kind == EYE:
        color = look(model, moment, lit, a, b, c, p, q, color)
    return show(color[0], model.table), show(color[1], model.table), show(color[2], model.table)

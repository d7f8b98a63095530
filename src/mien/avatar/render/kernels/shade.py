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
from mien.avatar.render.tone import ENTRIES, STEPS

_ZERO, _ONE, _TWO, _HALF = np.float32(0.0), np.float32(1.0), np.float32(2.0), np.float32(0.5)
_TINY, _STEPS, _LAST = np.float32(1e-6), np.float32(STEPS), np.float32(ENTRIES - 1)
_LIFT, _GLINT, _SPARKLE = np.float32(0.34), np.float32(0.25), np.float32(1.5)
_UNIT, _FLAT, _TILT = np.float32(1 / 255), np.float32(128), np.float32(1 / 127)
Color = tuple[np.float32, np.float32, np.float32]


@inline
def show(light: np.float32, table: Floats) -> np.float32:
    """Return the level on the screen, 0 to 255, of linear light."""
    root = min(np.sqrt(max(light, _ZERO)) * _STEPS, _LAST)
    level: np.float32 = table[np.uintp(np.int32(root))]
    return level


@inline
def between(a: np.float32, b: np.float32, c: np.float32, p: np.float32, q: np.float32) -> np.float32:
    """Return what lies between three vertices."""
    return a + (b - a) * p + (c - a) * q


@inline
def blend(
    lit: Floats, a: np.uintp, b: np.uintp, c: np.uintp, p: np.float32, q: np.float32, mix: Floats
) -> None:
    """Set `mix` to the columns of `lit` between three vertices. Reads all, then writes all: in vectors."""
    one, two, three = lit[a], lit[b], lit[c]
    m0, m1 = between(one[0], two[0], three[0], p, q), between(one[1], two[1], three[1], p, q)
    m2, m3 = between(one[2], two[2], three[2], p, q), between(one[3], two[3], three[3], p, q)
    m4, m5 = between(one[4], two[4], three[4], p, q), between(one[5], two[5], three[5], p, q)
    m6, m7 = between(one[6], two[6], three[6], p, q), between(one[7], two[7], three[7], p, q)
    m8, m9 = between(one[8], two[8], three[8], p, q), between(one[9], two[9], three[9], p, q)
    m10, m11 = between(one[10], two[10], three[10], p, q), between(one[11], two[11], three[11], p, q)
    mix[0], mix[1], mix[2], mix[3], mix[4], mix[5] = m0, m1, m2, m3, m4, m5
    mix[6], mix[7], mix[8], mix[9], mix[10], mix[11] = m6, m7, m8, m9, m10, m11


@inline
def texel(a: int, b: int, c: int, d: int, fu: np.float32, fv: np.float32) -> np.float32:
    """Return what lies between four texels."""
    upper = np.float32(a) + (np.float32(b) - np.float32(a)) * fu
    lower = np.float32(c) + (np.float32(d) - np.float32(c)) * fu
    return upper + (lower - upper) * fv


@inline
def texels(skin: Bytes, row: np.uintp, column: np.uintp, fu: np.float32, fv: np.float32, mix: Floats) -> None:
    """Set the last columns of `mix` to the channels of the skin, 0 to 255, between four texels."""
    right, down = column + np.uintp(1), row + np.uintp(1)
    a, b, c, d = skin[row, column], skin[row, right], skin[down, column], skin[down, right]
    t0, t1 = texel(a[0], b[0], c[0], d[0], fu, fv), texel(a[1], b[1], c[1], d[1], fu, fv)
    t2, t3 = texel(a[2], b[2], c[2], d[2], fu, fv), texel(a[3], b[3], c[3], d[3], fu, fv)
    t4, t5 = texel(a[4], b[4], c[4], d[4], fu, fv), texel(a[5], b[5], c[5], d[5], fu, fv)
    mix[12], mix[13], mix[14], mix[15], mix[16], mix[17] = t0, t1, t2, t3, t4, t5


@inline
def streak(hair: Floats, row: np.uintp, column: np.uintp, fu: np.float32, fv: np.float32) -> np.float32:
    """Return the brightness of hair between four texels."""
    right, down = column + np.uintp(1), row + np.uintp(1)
    upper = hair[row, column] + (hair[row, right] - hair[row, column]) * fu
    lower = hair[down, column] + (hair[down, right] - hair[down, column]) * fu
    mixed: np.float32 = upper + (lower - upper) * fv
    return mixed


@inline
def textured(kind: int, model: Model, mix: Floats) -> Color:
    """Return linear light of skin, of hair, or of a foreign surface that has a picture."""
    u, v = mix[TEXEL], mix[TEXEL + 1]
    red, green, blue = mix[DIFFUSE], mix[DIFFUSE + 1], mix[DIFFUSE + 2]
    shiny_red, shiny_green, shiny_blue = mix[SPECULAR], mix[SPECULAR + 1], mix[SPECULAR + 2]
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
    rig, bend = model.rig, (mix[RELIEF], mix[RELIEF + 1], mix[GLINT], mix[GLINT + 1])
    texels(model.skin, row, column, fu, fv, mix)
    r, g, b_, gloss = mix[12] * _UNIT, mix[13] * _UNIT, mix[14] * _UNIT, mix[15] * _UNIT
    if kind == SKIN:
        tu, tv = (mix[16] - _FLAT) * _TILT, (mix[17] - _FLAT) * _TILT
        lean = bend[0] * tu + bend[1] * tv
        red, green, blue = (
            red + rig[COLOR, 0] * lean,
            green + rig[COLOR, 1] * lean,
            blue + rig[COLOR, 2] * lean,
        )
        tilt = _ONE + _HALF * min(max(bend[2] * tu + bend[3] * tv, -_TWO), _TWO)
        gloss = gloss * tilt * tilt
    return (
        red * r * r + gloss * shiny_red,
        green * g * g + gloss * shiny_green,
        blue * b_ * b_ + gloss * shiny_blue,
    )


@inline
def look(
    model: Model, moment: Moment, mix: Floats, a: np.uintp, b: np.uintp, c: np.uintp,
    p: np.float32, q: np.float32,
) -> Color:  # fmt: skip
    """Return linear light of an eyeball, whose vertices keep normals in place of light."""
    static, o = model.static, _ONE - p - q
    side = 1 if static[a, W] > _HALF else 0
    x = static[a, X] * o + static[b, X] * p + static[c, X] * q
    y = static[a, Y] * o + static[b, Y] * p + static[c, Y] * q
    z = static[a, Z] * o + static[b, Z] * p + static[c, Z] * q
    scale = _ONE / np.sqrt(x * x + y * y + z * z + _TINY)
    nx, ny, nz = mix[0], mix[1], mix[2]
    length = _ONE / np.sqrt(nx * nx + ny * ny + nz * nz + _TINY)
    openness, shine = float(mix[3]), float(mix[4])
    red, green, blue = eye(
        (x * scale, y * scale, z * scale), (nx * length, ny * length, nz * length),
        openness, shine, moment.lids[side], moment.turns[side], moment.sight, model.iris, model.rig,
    )  # fmt: skip
    return np.float32(red), np.float32(green), np.float32(blue)


@inline
def shade(
    t: int, x: np.float32, y: np.float32, model: Model, moment: Moment, lit: Floats, mix: Floats
) -> Color:
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
    blend(lit, a, b, c, p, q, mix)
    kind = model.faces[t, MATERIAL]
    if kind in (SKIN, HAIR, PLAIN, EYEBALL):
        red, green, blue = textured(kind, model, mix)
    elif kind == EYE:
        red, green, blue = look(model, moment, mix, a, b, c, p, q)
    else:
        red, green, blue = mix[DIFFUSE], mix[DIFFUSE + 1], mix[DIFFUSE + 2]
    return show(red, model.table), show(green, model.table), show(blue, model.table)

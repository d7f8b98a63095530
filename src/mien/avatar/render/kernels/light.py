"""The light that falls on a vertex, by material.

Wrapped diffuse light stands in for scattering under the skin (Green, GPU Gems ch. 16), baked openness and
key visibility for shadows, Kajiya and Kay's model (1989) lights hair along its tangent.
"""

from __future__ import annotations

import math

from mien.avatar.model import Floats, Ints
from mien.avatar.render.jit import inline, kernel
from mien.avatar.render.layout import (
    CLOTH,
    COLOR,
    DIFFUSE,
    EYE,
    EYEBALL,
    FILL_LIGHT,
    GROUND,
    HAIR,
    HEAD,
    KEY,
    KEY_LIGHT,
    KEY_OPEN,
    KIND,
    OCCLUSION,
    OCCLUSION_OPEN,
    PLAIN,
    RED,
    RIM_LEFT,
    RIM_RIGHT,
    SKIN,
    SKY,
    SPECULAR,
    STRAND,
    TEETH,
    X,
    Y,
    Z,
)

_WRAP = (0.36, 0.19, 0.14)  # red light travels furthest through skin
_BLEED = (0.30, 0.0, -0.03)  # so a shadow on skin is reddest at its edge

_DENTINE = (1.10, 1.03, 0.91)  # light that comes back from within a tooth


@inline
def _clip(x: float) -> float:
    return min(max(x, 0.0), 1.0)


@inline
def _dot(a: Floats, row: int, x: float, y: float, z: float) -> float:
    total: float = a[row, 0] * x + a[row, 1] * y + a[row, 2] * z
    return total


@inline
def _halfway(rig: Floats, row: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    hx, hy, hz = rig[row, 0] + x, rig[row, 1] + y, rig[row, 2] + z
    scale = 1.0 / math.sqrt(hx * hx + hy * hy + hz * hz + 1e-9)
    return hx * scale, hy * scale, hz * scale


@kernel
def illuminate(
    t: int, faces: Ints, points: Floats, static: Floats, head: Floats, camera: Floats, rig: Floats,
    jaw: float, lit: Floats, stamp: Ints, frame: int,
) -> None:  # fmt: skip
    """Light the vertices of triangle `t` that are not lit in this `frame` yet."""
    for corner in range(3):
        vertex = faces[t, corner]
        if stamp[vertex] != frame:
            stamp[vertex] = frame
            light(vertex, points, static, head, camera, rig, jaw, lit)


@kernel
def light(
    i: int, points: Floats, static: Floats, head: Floats, camera: Floats, rig: Floats, jaw: float, lit: Floats
) -> None:
    """Set row `i` of `lit`; `jaw` in [0, 1] blends what was baked for the closed and the open jaw."""
    weight = static[i, HEAD]
    px, py, pz = points[i, 0], points[i, 1], points[i, 2]
    qx, qy, qz = px - head[3, 0], py - head[3, 1], pz - head[3, 2]
    px += (_dot(head, 0, qx, qy, qz) - qx) * weight
    py += (_dot(head, 1, qx, qy, qz) - qy) * weight
    pz += (_dot(head, 2, qx, qy, qz) - qz) * weight
    nx, ny, nz = points[i, 3], points[i, 4], points[i, 5]
    mx, my, mz = _dot(head, 0, nx, ny, nz), _dot(head, 1, nx, ny, nz), _dot(head, 2, nx, ny, nz)
    nx, ny, nz = nx + (mx - nx) * weight, ny + (my - ny) * weight, nz + (mz - nz) * weight
    scale = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-12)
    nx, ny, nz = nx * scale, ny * scale, nz * scale
    vx, vy, vz = camera[3, 0] - px, camera[3, 1] - py, camera[3, 2] - pz
    scale = 1.0 / math.sqrt(vx * vx + vy * vy + vz * vz)
    vx, vy, vz = vx * scale, vy * scale, vz * scale
    openness = static[i, OCCLUSION] + (static[i, OCCLUSION_OPEN] - static[i, OCCLUSION]) * jaw
    shine = static[i, KEY] + (static[i, KEY_OPEN] - static[i, KEY]) * jaw
    kind = int(static[i, KIND])
    if kind == SKIN:
        _skin(i, static, rig, openness, shine, nx, ny, nz, vx, vy, vz, lit)
    elif kind == HAIR:
        _hair(i, static, head, rig, openness, shine, nx, ny, nz, vx, vy, vz, lit)
    elif kind in (CLOTH, PLAIN):
        _cloth(i, static, rig, openness, shine, nx, ny, nz, vx, vy, vz, lit)
    elif kind == EYE:
        lit[i, 0], lit[i, 1], lit[i, 2], lit[i, 3] = nx, ny, nz, openness * (0.5 + 0.5 * shine)
    else:
        _wet(i, static, rig, openness, shine, nx, ny, nz, vx, vy, vz, lit)


@kernel
def _skin(
    i: int, static: Floats, rig: Floats, openness: float, shine: float,
    nx: float, ny: float, nz: float, vx: float, vy: float, vz: float, lit: Floats,
) -> None:  # fmt: skip
    key, fill = _dot(rig, KEY_LIGHT, nx, ny, nz), _dot(rig, FILL_LIGHT, nx, ny, nz)
    left, right = _dot(rig, RIM_LEFT, nx, ny, nz), _dot(rig, RIM_RIGHT, nx, ny, nz)
    facing = max(nx * vx + ny * vy + nz * vz, 0.0)
    graze = (1.0 - facing) ** 3
    hx, hy, hz = _halfway(rig, KEY_LIGHT, vx, vy, vz)
    sheen = max(nx * hx + ny * hy + nz * hz, 0.0)
    fresnel = 0.028 + 0.97 * (1.0 - max(vx * hx + vy * hy + vz * hz, 0.0)) ** 5
    gloss = (sheen**12 * 0.80 + sheen**44 * 2.1) * _clip(key * 2.0) * shine * fresnel * 7.0
    hx, hy, hz = _halfway(rig, FILL_LIGHT, vx, vy, vz)
    gloss += max(nx * hx + ny * hy + nz * hz, 0.0) ** 15 * 0.40 * _clip(fill) * openness
    up, mirror = ny * 0.5 + 0.5, (2.0 * facing * ny - vy) * 0.5 + 0.5
    inside = static[i, X]
    soft = math.sqrt(max(openness, 0.0))
    for c in range(3):
        wrap, bleed = _WRAP[c], _BLEED[c]
        direct = _clip((key + wrap) / (1.0 + wrap))
        direct *= 0.6 + 0.4 * direct
        shadow = shine + (math.sqrt(shine) - shine) * max(bleed, 0.0)
        open_c = openness + (soft - openness) * bleed
        side = _clip((fill + wrap) / (1.0 + wrap))
        sky = rig[GROUND, c] + (rig[SKY, c] - rig[GROUND, c]) * up
        rim = rig[COLOR + RIM_LEFT, c] * _clip(left + 0.15) + rig[COLOR + RIM_RIGHT, c] * _clip(right + 0.15)
        rim *= (0.25 + graze * 0.9) * openness
        diffuse = rig[COLOR, c] * direct * shadow * (0.65 + 0.35 * open_c)
        diffuse += rig[COLOR + FILL_LIGHT, c] * side * open_c + sky * open_c + rim * 0.55
        lit[i, DIFFUSE + c] = diffuse * (1.0 - 0.30 * inside)
        shiny = rig[COLOR, c] * gloss * 0.45 + rim * 0.04
        shiny += (rig[GROUND, c] + (rig[SKY, c] - rig[GROUND, c]) * mirror) * graze * 0.22 * openness
        lit[i, SPECULAR + c] = shiny * (1.0 - 0.7 * inside)


@kernel
def _hair(
    i: int, static: Floats, head: Floats, rig: Floats, openness: float, shine: float,
    nx: float, ny: float, nz: float, vx: float, vy: float, vz: float, lit: Floats,
) -> None:  # fmt: skip
    if nx * vx + ny * vy + nz * vz < 0.0:
        nx, ny, nz = -0.3 * nx, -0.3 * ny, -0.3 * nz
    tx, ty, tz = static[i, X], static[i, Y], static[i, Z]
    tx, ty, tz = _dot(head, 0, tx, ty, tz), _dot(head, 1, tx, ty, tz), _dot(head, 2, tx, ty, tz)
    key, fill = _dot(rig, KEY_LIGHT, nx, ny, nz), _dot(rig, FILL_LIGHT, nx, ny, nz)
    along = _dot(rig, KEY_LIGHT, tx, ty, tz)
    across = math.sqrt(max(1.0 - along * along, 0.0))
    side = _clip(key * 0.6 + 0.4)
    hx, hy, hz = _halfway(rig, KEY_LIGHT, vx, vy, vz)
    th, nh = tx * hx + ty * hy + tz * hz, nx * hx + ny * hy + nz * hz
    root, tip = (th - 0.14 * nh) / 1.01, (th + 0.08 * nh) / 1.003  # shifted by the scales of a hair
    second = math.exp(-11.0 * root * root) * 0.55  # through the hair: coloured
    first = math.exp(-42.0 * tip * tip) * 0.075  # off its surface: white
    hx, hy, hz = _halfway(rig, FILL_LIGHT, vx, vy, vz)
    th = tx * hx + ty * hy + tz * hz
    third = math.exp(-18.0 * th * th) * 0.35
    left, right = _clip(_dot(rig, RIM_LEFT, nx, ny, nz)), _clip(_dot(rig, RIM_RIGHT, nx, ny, nz))
    shadow, hollow, up = 0.3 + 0.7 * shine, 0.55 + 0.45 * openness, ny * 0.5 + 0.5
    for c in range(3):
        base = static[i, RED + c]
        sky = rig[GROUND, c] + (rig[SKY, c] - rig[GROUND, c]) * up
        rim = (rig[COLOR + RIM_LEFT, c] * left + rig[COLOR + RIM_RIGHT, c] * right) * openness
        diffuse = rig[COLOR, c] * across * side * side * shadow + sky * (0.25 + 0.95 * openness)
        diffuse += rig[COLOR + FILL_LIGHT, c] * (0.15 + 0.5 * openness) * _clip(fill * 0.5 + 0.5) + rim * 1.1
        lit[i, DIFFUSE + c] = base * diffuse * hollow
        shiny = rig[COLOR, c] * (first + second * base) * side * shadow * openness
        lit[i, SPECULAR + c] = (shiny + rig[COLOR + FILL_LIGHT, c] * third * base * openness) * hollow


@kernel
def _cloth(
    i: int, static: Floats, rig: Floats, openness: float, shine: float,
    nx: float, ny: float, nz: float, vx: float, vy: float, vz: float, lit: Floats,
) -> None:  # fmt: skip
    key, fill = _dot(rig, KEY_LIGHT, nx, ny, nz), _dot(rig, FILL_LIGHT, nx, ny, nz)
    left, right = _clip(_dot(rig, RIM_LEFT, nx, ny, nz)), _clip(_dot(rig, RIM_RIGHT, nx, ny, nz))
    fuzz = (1.0 - max(nx * vx + ny * vy + nz * vz, 0.0)) ** 3 * 0.35
    direct, side, up = _clip((key + 0.12) / 1.12) * shine, _clip(fill * 0.7 + 0.3), ny * 0.5 + 0.5
    for c in range(3):
        base = static[i, RED + c]
        sky = rig[GROUND, c] + (rig[SKY, c] - rig[GROUND, c]) * up
        rim = (rig[COLOR + RIM_LEFT, c] * left + rig[COLOR + RIM_RIGHT, c] * right) * openness
        ambient = rig[COLOR + FILL_LIGHT, c] * side + sky * (1.0 + fuzz)
        lit[i, DIFFUSE + c] = base * (rig[COLOR, c] * direct + ambient * openness) + rim * (base * 0.6 + 0.01)
        lit[i, SPECULAR + c] = 0.0


@kernel
def _wet(
    i: int, static: Floats, rig: Floats, openness: float, shine: float,
    nx: float, ny: float, nz: float, vx: float, vy: float, vz: float, lit: Floats,
) -> None:  # fmt: skip
    """Teeth, tongue and eyeballs from elsewhere, which are wet, and brows and lashes, which are not."""
    key, fill = _dot(rig, KEY_LIGHT, nx, ny, nz), _dot(rig, FILL_LIGHT, nx, ny, nz)
    hx, hy, hz = _halfway(rig, KEY_LIGHT, vx, vy, vz)
    sheen = max(nx * hx + ny * hy + nz * hz, 0.0)
    kind = int(static[i, KIND])
    gloss = 0.0 if kind == STRAND else (sheen**72 * 1.1 + sheen**14 * 0.20) * shine
    direct, side, up = _clip(key * 0.6 + 0.4) * (0.6 + 0.4 * shine), _clip(fill * 0.5 + 0.5), ny * 0.5 + 0.5
    for c in range(3):
        sky = rig[GROUND, c] + (rig[SKY, c] - rig[GROUND, c]) * up
        diffuse = rig[COLOR, c] * direct * 0.8 + rig[COLOR + FILL_LIGHT, c] * 0.7 * side + sky
        if kind == TEETH:
            diffuse *= _DENTINE[c]
        shiny = gloss * rig[COLOR, c]
        if kind == EYEBALL:  # its picture must not tint the highlight
            lit[i, DIFFUSE + c], lit[i, SPECULAR + c] = (
                static[i, RED + c] * diffuse * openness,
                shiny * openness,
            )
        else:
            lit[i, DIFFUSE + c] = (static[i, RED + c] * diffuse + shiny) * openness
            lit[i, SPECULAR + c] = 0.0

"""The light that falls on a vertex: numbers of `lights`, formulas of docs/avatars.md."""

from __future__ import annotations

import math

from mien.avatar.render.jit import inline
from mien.avatar.render.kernels.matter import cloth, hair, wet
from mien.avatar.render.kernels.skin import skin
from mien.avatar.render.layout import (
    CLOTH,
    EYE,
    HAIR,
    HEAD,
    KEY,
    KEY_OPEN,
    KIND,
    OCCLUSION,
    OCCLUSION_OPEN,
    PLAIN,
    SCREEN,
    SKIN,
    TEXEL,
    Floats,
    Ints,
    Model,
    Moment,
    U,
    V,
)


@inline
def illuminate(t: int, model: Model, moment: Moment, lit: Floats, stamp: Ints, frame: int) -> None:
    """Light the vertices of triangle `t` that are not lit in this `frame` yet."""
    for corner in range(3):
        vertex = model.faces[t, corner]
        if stamp[vertex] != frame:
            stamp[vertex] = frame
            light(vertex, model, moment, lit)


@inline
def light(i: int, model: Model, moment: Moment, lit: Floats) -> None:
    """Set row `i` of `lit`."""
    static, points, head, jaw = model.static, moment.points, moment.head, moment.state[0]
    lit[i, TEXEL], lit[i, TEXEL + 1] = static[i, U], static[i, V]
    lit[i, SCREEN], lit[i, SCREEN + 1] = moment.clip[i, 0], moment.clip[i, 1]
    weight, eye = static[i, HEAD], moment.camera
    px, py, pz = points[i, 0], points[i, 1], points[i, 2]
    qx, qy, qz = turned(head, px - head[3, 0], py - head[3, 1], pz - head[3, 2], weight)
    vx, vy, vz = eye[3, 0] - head[3, 0] - qx, eye[3, 1] - head[3, 1] - qy, eye[3, 2] - head[3, 2] - qz
    nx, ny, nz = turned(head, points[i, 3], points[i, 4], points[i, 5], weight)
    scale = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz + 1e-12)
    nx, ny, nz = nx * scale, ny * scale, nz * scale
    scale = 1.0 / math.sqrt(vx * vx + vy * vy + vz * vz)
    n, v = (nx, ny, nz), (vx * scale, vy * scale, vz * scale)
    openness = static[i, OCCLUSION] + (static[i, OCCLUSION_OPEN] - static[i, OCCLUSION]) * jaw
    shine = static[i, KEY] + (static[i, KEY_OPEN] - static[i, KEY]) * jaw
    kind = int(static[i, KIND])
    if kind == SKIN:
        skin(i, static, model.rig, head, openness, shine, n, v, lit)
    elif kind == HAIR:
        hair(i, static, model.rig, head, openness, shine, n, v, lit)
    elif kind in (CLOTH, PLAIN):
        cloth(i, static, model.rig, openness, shine, n, v, lit)
    elif kind == EYE:
        lit[i, 0], lit[i, 1], lit[i, 2], lit[i, 3], lit[i, 4] = nx, ny, nz, openness, shine
    else:
        wet(i, static, model.rig, openness, shine, n, v, lit)


@inline
def turned(head: Floats, x: float, y: float, z: float, weight: float) -> tuple[float, float, float]:
    """Return a vector that follows the head's rotation by `weight`."""
    tx = head[0, 0] * x + head[0, 1] * y + head[0, 2] * z
    ty = head[1, 0] * x + head[1, 1] * y + head[1, 2] * z
    tz = head[2, 0] * x + head[2, 1] * y + head[2, 2] * z
    return x + (tx - x) * weight, y + (ty - y) * weight, z + (tz - z) * weight

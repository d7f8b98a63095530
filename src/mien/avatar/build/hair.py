"""Hair: opaque tapered ribbons grown over the scalp along a combed flow, with gravity and collision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.avatar.build.draft import Draft, draft
from mien.avatar.build.geometry import lookup, smoothstep, unit
from mien.avatar.build.hairstyles import STYLES, Layer, Style
from mien.avatar.build.human import Doubles
from mien.avatar.build.person import Hair
from mien.avatar.build.scalp import Scalp, above_hairline
from mien.avatar.build.strands import ribbon_triangles
from mien.errors import InputError, nearest

DOWN = np.array([0.0, -1.0, 0.0])
TAPER = ((0, 0.55), (0.12, 0.9), (0.3, 1.0), (0.7, 0.95), (0.88, 0.7), (1.0, 0.12))
PART_GAP = 0.012  # dm: half of the parting's width
SKIM = 0.03  # dm: no nearer to the skin after smoothing
RAGGED = 0.035  # dm: spread of where long hair ends
BACK = np.array([0.0, 0.0, 0.25])  # the ends curl in towards an axis this far behind
ROUNDNESS = 0.55  # how far a ribbon's normals lean to its edges


def hair_style(name: str) -> Style:
    """Return a style by name; raises `InputError` naming the nearest."""
    if name not in STYLES:
        raise InputError(f"no hair style {name!r}{nearest(name, STYLES)}")
    return STYLES[name]


def make_hair(scalp: Scalp, looks: Hair) -> Draft:
    """Return a style's ribbons: u across a ribbon, v along it, tangent and seed in `extra`."""
    style, random = hair_style(looks.style), np.random.default_rng(11)
    pieces = [_grow_layer(scalp, style, layer, random, looks) for layer in style.layers]
    offsets = np.cumsum([0, *(len(p.positions) for p in pieces)])
    hair = draft(
        "hair",
        "hair",
        np.concatenate([p.positions for p in pieces]),
        np.concatenate([p.triangles + o for p, o in zip(pieces, offsets, strict=False)]),
        uvs=np.concatenate([p.uvs for p in pieces]),
        color=np.concatenate([p.color for p in pieces]),
        extra=np.concatenate([p.extra for p in pieces]),
        two_sided=True,
    )
    hair.normals = np.concatenate([p.normals for p in pieces])
    return hair


@dataclass(frozen=True, slots=True, eq=False)
class _Roots:
    """Ribbons about to grow: all arrays by ribbon (S, ...)."""

    points: Doubles
    length: Doubles
    offset: Doubles
    width: Doubles
    lift: Doubles


def _grow_layer(scalp: Scalp, style: Style, layer: Layer, random: np.random.Generator, looks: Hair) -> Draft:
    roots = _roots(scalp, style, layer, random)
    paths, facing = _grow(scalp, style, layer, roots)
    if style.falls:
        ends = style.cut[0] + style.cut[1] * paths[:, -1, 2] + random.normal(0, RAGGED, len(paths))
        paths, facing = _cut(paths, ends), _cut(facing, ends, paths)
    return _ribbons(paths, facing, roots, random, looks, layer.shade)


def _roots(scalp: Scalp, style: Style, layer: Layer, random: np.random.Generator) -> _Roots:
    if layer.parting:
        points = _parting(scalp, style, layer.count, random)
    else:
        points = scalp.roots(random, layer.count, style.hairline)
    points = points[points[:, 1] > layer.lowest]
    count, top = len(points), smoothstep(0.35, 0.9, points[:, 1])
    inside = 0.6 + 0.4 * smoothstep(-0.02, 0.22, above_hairline(points, style.hairline))
    offset = layer.offset[0] + layer.offset[1] * random.random(count) + layer.top_offset * top
    return _Roots(
        points,
        lookup(points[:, 1], layer.length) * random.uniform(1 - layer.spread, 1, count),
        offset * inside,
        layer.width * random.uniform(0.75, 1.2, count) * inside,
        layer.lift * (1.25 * inside - 0.25),
    )


def _parting(scalp: Scalp, style: Style, count: int, random: np.random.Generator) -> Doubles:
    """Return roots on both sides of the parting, evenly from the forehead to the crown."""
    half = count // 2
    z = np.tile(np.linspace(-0.5, 1.16, half), 2) + random.uniform(-0.4, 0.4, 2 * half) * 1.66 / half
    x = style.part_x + np.repeat([-PART_GAP, PART_GAP], half)
    top = scalp.body_points[scalp.body_points[:, 1] >= 0.4]
    flat = (x[:, None] - top[:, 0]) ** 2 + (z[:, None] - top[:, 2]) ** 2
    y = top[np.argsort(flat, axis=1)[:, :4], 1].mean(axis=1)
    points = np.stack([x, y, z], 1)
    return points[above_hairline(points, style.hairline) > -0.03]


def _combed(style: Style, points: Doubles, normals: Doubles) -> Doubles:
    """Return the direction (N, 3) along the skin in which hair is combed."""
    side = np.where(points[:, 0] > style.part_x, 1.0, -1.0)
    x, y, z = style.combed
    flow = np.stack([side * x, np.full(len(side), y), np.full(len(side), z)], 1)
    if style.falls:
        flow[:, 2] -= 0.16 * smoothstep(0.4, 1.1, points[:, 2])
        behind = smoothstep(-0.1, -0.5, points[:, 2])[:, None]
        flow = flow * (1 - behind) + unit(points - [style.part_x * 0.5, 1.0, -0.35]) * behind
    return unit(flow - normals * (flow * normals).sum(1, keepdims=True))


def _grow(scalp: Scalp, style: Style, layer: Layer, roots: _Roots) -> tuple[Doubles, Doubles]:
    """Integrate ribbons from their roots; returns centre lines and body normals (S, P, 3)."""
    _, normal = scalp.distance(roots.points)
    point, lift = roots.points + 0.01 * normal, roots.lift[:, None]
    heading = unit(_combed(style, point, normal) + lift * normal)
    path, facing = [point], [normal]
    step = roots.length[:, None] / (layer.points - 1)
    for i in range(1, layer.points):
        t = i / (layer.points - 1)
        _, normal = scalp.distance(point)
        below = smoothstep(0.35, -0.35, point[:, 1])[:, None]
        pull = DOWN * (layer.gravity * (0.3 + 1.1 * smoothstep(0, 0.4, t)) + 0.9 * below)
        wish = _combed(style, point, normal) * (1 - below) + pull + lift * (1 - t) * normal
        heading = layer.inertia * heading + (1 - layer.inertia) * wish
        if layer.curl:
            inwards = unit(-(point + BACK) * [1, 0, 1])
            heading = heading + layer.curl * smoothstep(-0.25, -1.3, point[:, 1])[:, None] * inwards
        heading = unit(heading)
        point = _outside(scalp, point + heading * step, roots.offset * (0.25 + 0.75 * smoothstep(0, 0.45, t)))
        if style.falls:
            point = _clear_face(point, roots.offset)
        path.append(point)
        facing.append(scalp.distance(point)[1])
    lines = _smooth_lines(np.stack(path, 1))
    clear = np.minimum(roots.offset, SKIM)[:, None].repeat(layer.points, axis=1)
    clear[:, 0] = 0  # roots stay where they grow
    lines = _outside(scalp, lines.reshape(-1, 3), clear.ravel()).reshape(lines.shape)
    return lines, np.stack(facing, 1)


def _outside(scalp: Scalp, points: Doubles, offset: Doubles) -> Doubles:
    """Push points out of the body until they are `offset` (N,) away from it."""
    for _ in range(2):
        distance, normal = scalp.distance(points)
        points = points + normal * np.maximum(offset - distance, 0)[:, None]
    return points


def _cut(rows: Doubles, ends: Doubles, paths: Doubles | None = None) -> Doubles:
    """End each row of points (S, P, 3) where its path falls below `ends` (S,), and space it anew."""
    heights = (rows if paths is None else paths)[..., 1]
    count = heights.shape[1]
    below = heights < ends[:, None]
    last = np.where(below.any(axis=1), np.maximum(below.argmax(axis=1), 1), count - 1)
    each = np.arange(len(rows))
    high, low = heights[each, last - 1], heights[each, last]
    part = np.where(below.any(axis=1), (high - ends) / np.maximum(high - low, 1e-9), 1)
    at = (last - 1 + np.clip(part, 0.05, 1))[:, None] * np.linspace(0, 1, count)
    index = np.minimum(at.astype(int), count - 2)
    between = (at - index)[..., None]
    return np.asarray(rows[each[:, None], index] * (1 - between) + rows[each[:, None], index + 1] * between)


FACE_SIDE = ((-1.6, 0.52), (-1.2, 0.54), (-0.6, 0.60), (0.0, 0.66), (0.35, 0.60), (0.66, 0.25))
EAR_SIDE = ((-1.1, 0.5), (-0.7, 0.80), (-0.1, 0.88), (0.1, 0.86), (0.35, 0.80), (0.6, 0.4))
FACE_FRONT = ((-1.8, 0.55), (-0.4, 0.66), (0.2, 0.78), (0.66, 1.08), (1.0, 1.35))


def _clear_face(points: Doubles, offset: Doubles) -> Doubles:
    """Keep hair beside the face: tables by height say how near to the middle and how far in front."""
    points = points.copy()
    x, y, z = points.T
    side = lookup(y, FACE_SIDE) + 0.3 * offset
    front = lookup(y, FACE_FRONT) + 0.3 * offset
    side = np.where(z > 0.30, side, (lookup(y, EAR_SIDE) + 0.3 * offset) * (z > -0.6))
    points[:, 0] += np.where(x < 0, -1, 1) * 0.8 * np.maximum(side - np.abs(x), 0) * (y < 0.66)
    points[:, 2] = np.minimum(z, front)
    return points


def _smooth_lines(paths: Doubles) -> Doubles:
    for _ in range(6):
        paths[:, 1:-1] = 0.25 * paths[:, :-2] + 0.5 * paths[:, 1:-1] + 0.25 * paths[:, 2:]
    return paths


def _ribbons(
    paths: Doubles, facing: Doubles, roots: _Roots, random: np.random.Generator, looks: Hair, tone: float
) -> Draft:
    """Lay ribbons along centre lines (S, P, 3), flat on `facing`, round in their shading."""
    strands, points = paths.shape[:2]
    tangent = unit(np.gradient(paths, axis=1))
    radial = unit((paths - [0, 0.1, -0.05]) * [1, 0.3, 1])
    hanging = smoothstep(0.1, -0.5, paths[..., 1])[..., None]
    normal = facing * (1 - hanging) + radial * hanging
    normal = unit(normal - tangent * (normal * tangent).sum(2, keepdims=True))
    sideways = np.cross(tangent, normal)
    t: Doubles = np.arange(points) / (points - 1)
    width = roots.width[:, None, None] * lookup(t, TAPER)[:, None]
    seed = random.random((strands, 1, 1))
    shade = tone * (0.74 + 0.52 * random.random((strands, 1, 1)))
    depth = 0.5 + 0.5 * smoothstep(0, 0.1, t)[:, None]  # roots lie deeper
    color = depth * shade * (np.array(looks.root) + t[:, None] * (np.array(looks.tip) - np.array(looks.root)))
    both = (strands, points, 2)
    hair = draft(
        "hair",
        "hair",
        np.stack([paths - sideways * width, paths + sideways * width], 2).reshape(-1, 3),
        ribbon_triangles(strands, points),
        uvs=np.stack([np.broadcast_to([0.0, 1.0], both), np.broadcast_to(t[:, None], both)], -1).reshape(
            -1, 2
        ),
        color=np.broadcast_to(color[:, :, None], (*both, 3)).reshape(-1, 3),
        extra=np.repeat(
            np.concatenate([tangent, np.broadcast_to(seed, (strands, points, 1))], 2).reshape(-1, 4), 2, 0
        ),
        two_sided=True,
    )
    hair.normals = unit(
        np.stack([normal - ROUNDNESS * sideways, normal + ROUNDNESS * sideways], 2).reshape(-1, 3)
    )
    return hair

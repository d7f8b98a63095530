"""How hair grows: centre lines from their roots along a combed flow, with gravity and collision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.avatar.build.geometry import Table, lookup, smoothstep, unit
from mien.avatar.build.hairstyles import Layer, Style
from mien.avatar.build.human import Doubles
from mien.avatar.build.noise import value_noise
from mien.avatar.build.scalp import Scalp, above_hairline

DOWN = np.array([0.0, -1.0, 0.0])
PART_GAP = 0.014  # dm: half of the parting's width
SKIM = 0.03  # dm: no nearer to the skin after smoothing
BACK = np.array([0.0, 0.0, 0.25])  # the ends curl in towards an axis this far behind
SHOULDERS = -1.8  # dm: hair that is cut lower lies on them
LOCKS = 2.2  # locks that go their own way, in a dm
FACE_SIDE: Table = (
    (-3.4, 0.9),
    (-2.3, 0.66),
    (-1.6, 0.52),
    (-1.2, 0.54),
    (-0.6, 0.60),
    (0.0, 0.66),
    (0.35, 0.60),
    (0.66, 0.25),
)
FACE_FRONT: Table = ((-1.8, 0.55), (-0.4, 0.66), (0.2, 0.78), (0.66, 1.08), (1.0, 1.35))
EAR_SIDE: Table = ((-1.1, 0.5), (-0.7, 0.80), (-0.1, 0.88), (0.1, 0.86), (0.35, 0.80), (0.6, 0.4))


@dataclass(frozen=True, slots=True, eq=False)
class Roots:
    """Ribbons to grow: all arrays by ribbon (S, ...); `turn` (S, 2): how each strays, early and late."""

    points: Doubles
    length: Doubles
    offset: Doubles
    width: Doubles
    lift: Doubles
    turn: Doubles
    phase: Doubles


def plant(scalp: Scalp, style: Style, layer: Layer, random: np.random.Generator) -> Roots:
    """Return a layer's roots; towards the hairline hair is sparser, finer and flatter."""
    if layer.parting:
        points = _parting(scalp, style, layer.count, random)
    else:
        points = scalp.roots(random, layer.count, style.hairline, layer.band)
    height = above_hairline(points, style.hairline)
    thin = smoothstep(-0.02, style.soft, height + 0.06 * (value_noise(points * 9) - 0.5))
    kept = (points[:, 1] > layer.lowest) & (points[:, 1] < layer.highest)
    if layer.band[1] > 1:
        kept &= random.random(len(points)) < 0.35 + 0.65 * thin
    points, height, thin = points[kept], height[kept], thin[kept]
    count, top = len(points), smoothstep(0.35, 0.9, points[:, 1])
    inside = 0.45 + 0.55 * smoothstep(-0.02, 2.2 * style.soft, height)
    offset = layer.offset[0] + layer.offset[1] * random.random(count) + layer.top_offset * top
    lock = value_noise(points * LOCKS) - 0.5
    return Roots(
        points,
        lookup(points[:, 1], layer.length) * random.uniform(1 - layer.spread, 1, count),
        offset * inside,
        layer.width * random.uniform(0.6, 1.3, count) * inside,
        layer.lift * (1.25 * inside - 0.25),
        layer.wander * (np.c_[lock, -lock] * 2.2 + random.normal(0, 0.6, (count, 2))),
        random.uniform(-0.3, 0.3, count) + 3 * lock,
    )


def _parting(scalp: Scalp, style: Style, count: int, random: np.random.Generator) -> Doubles:
    """Return roots on both sides of the parting, from the forehead to the crown, denser towards its line."""
    half = count // 2
    z = np.tile(np.linspace(-0.5, 1.16, half), 2) + random.uniform(-0.5, 0.5, 2 * half) * 1.66 / half
    side = np.repeat([-1, 1], half)
    x = style.part_x + side * (PART_GAP + 0.22 * random.random(2 * half) ** 2.2)
    top = scalp.body.points[scalp.body.points[:, 1] >= 0.4]
    flat = (x[:, None] - top[:, 0]) ** 2 + (z[:, None] - top[:, 2]) ** 2
    y = top[np.argsort(flat, axis=1)[:, :4], 1].mean(axis=1)
    points = np.stack([x, y, z], 1)
    return points[above_hairline(points, style.hairline) > -0.02]


def combed(style: Style, points: Doubles, normals: Doubles) -> Doubles:
    """Return the direction (N, 3) along the skin in which hair is combed."""
    if style.gather:
        flow = np.array(style.gather) - points
    elif style.whorl:
        flow = points - np.array(style.whorl) + [0.0, -0.1, 0.0]
    else:
        flow = _parted(style, points)
    return unit(flow - normals * (flow * normals).sum(1, keepdims=True))


def _parted(style: Style, points: Doubles) -> Doubles:
    side = np.where(points[:, 0] > style.part_x, 1.0, -1.0)
    x, y, z = style.combed
    flow = np.stack([side * x, np.full(len(side), y), np.full(len(side), z)], 1)
    if style.falls:
        flow[:, 2] -= 0.16 * smoothstep(0.4, 1.1, points[:, 2]) + 0.55 * smoothstep(0.85, 1.2, points[:, 2])
        behind = smoothstep(-0.1, -0.5, points[:, 2])[:, None]
        return np.asarray(flow * (1 - behind) + unit(points - [style.part_x * 0.5, 1.0, -0.35]) * behind)
    low = smoothstep(0.62, 0.35, points[:, 1])[:, None]  # the sides grow down and back
    return np.asarray(flow * (1 - low) + np.array([0.0, -1.0, -0.55]) * low)


def grow(scalp: Scalp, style: Style, layer: Layer, roots: Roots) -> tuple[Doubles, Doubles]:
    """Integrate ribbons from their roots; returns centre lines and the body's normals there (S, P, 3)."""
    _, normal = scalp.distance(roots.points)
    point, lift = roots.points + 0.01 * normal, roots.lift[:, None]
    heading = unit(_strayed(combed(style, point, normal), normal, roots, 0) + lift * normal)
    path, facing = [point], [normal]
    for i in range(1, layer.points):
        t = i / (layer.points - 1)
        height, normal = scalp.distance(point)
        below = 0 if style.gather else smoothstep(0.35, -0.35, point[:, 1])[:, None]
        pull = DOWN * (layer.gravity * (0.3 + 1.1 * smoothstep(0, 0.4, t)) * (not style.gather) + 0.9 * below)
        wish = _strayed(combed(style, point, normal), normal, roots, t) * (1 - below) + pull
        offset = roots.offset * (1 - layer.tuck * smoothstep(0.4, 1.0, t))
        wish = wish + (lift * (1 - t) - layer.cling * np.maximum(height - offset, 0)[:, None]) * normal
        heading = layer.inertia * heading + (1 - layer.inertia) * wish
        if layer.curl:
            inwards = unit(-(point + BACK) * [1, 0, 1])
            heading = heading + layer.curl * smoothstep(-0.25, -1.3, point[:, 1])[:, None] * inwards
        if style.cut[0] < SHOULDERS:
            heading = heading + _over_shoulders(point, roots)
        heading = unit(heading)
        step = _step(style, point, roots, layer, i)
        point = _outside(scalp, point + heading * step, offset * (0.25 + 0.75 * smoothstep(0, 0.45, t)))
        if style.falls:
            point = _clear_face(point, roots.offset)
        path.append(point)
        facing.append(normal)
    return _finish(scalp, layer, roots, np.stack(path, 1)), np.stack(facing, 1)


def _strayed(flow: Doubles, normal: Doubles, roots: Roots, t: float) -> Doubles:
    """Turn each ribbon's flow a little, so that no two run side by side."""
    turn = (roots.turn[:, 0] * (1 - t) + roots.turn[:, 1] * t)[:, None]
    return np.asarray(flow + turn * np.cross(normal, flow))


def _over_shoulders(points: Doubles, roots: Roots) -> Doubles:
    """Return the pull (S, 3) forward of what grows in front: it falls before the shoulders."""
    front = smoothstep(-0.55, 0.15, roots.points[:, 2]) * smoothstep(-0.4, -0.9, points[:, 1])
    return np.asarray((front * smoothstep(-1.9, -1.5, points[:, 1]))[:, None] * [0.0, 0.0, 0.45])


def _step(style: Style, point: Doubles, roots: Roots, layer: Layer, i: int) -> Doubles:
    """Return how far (S, 1) the next point lies: evenly, or so as to arrive where hair is tied."""
    if style.gather and layer.band[1] > 1:
        away = np.linalg.norm(np.array(style.gather) - point, axis=1, keepdims=True)
        return np.asarray(1.2 * away / (layer.points - i + 0.6))
    return np.asarray(roots.length[:, None] / (layer.points - 1))


def _finish(scalp: Scalp, layer: Layer, roots: Roots, lines: Doubles) -> Doubles:
    """Smooth the lines, wave them, and keep them out of the body."""
    clear = np.minimum(roots.offset, SKIM)[:, None].repeat(layer.points, axis=1)
    clear[:, 0] = 0  # roots stay where they grow
    lines = _smooth_lines(lines) if layer.points > 4 else lines
    if layer.wave[0]:
        waved = _waved(layer, roots, lines).reshape(-1, 3)
        lines = _smooth_lines(_outside(scalp, waved, clear.ravel()).reshape(lines.shape), 2)
    return _outside(scalp, lines.reshape(-1, 3), clear.ravel()).reshape(lines.shape)


def _waved(layer: Layer, roots: Roots, lines: Doubles) -> Doubles:
    """Swing lines from side to side and in and out along their length."""
    run = np.linspace(0, 1, layer.points) * roots.length[:, None]
    angle = 2 * np.pi * run / layer.wave[1] + roots.phase[:, None]
    size = layer.wave[0] * smoothstep(0.7, 1.9, run) * (0.8 + 0.4 * np.sin(9.7 * roots.phase))[:, None]
    tangent = unit(np.gradient(lines, axis=1))
    out = unit((lines + BACK) * [1, 0, 1])
    side = np.cross(tangent, out)
    return lines + (np.sin(angle) * size)[..., None] * side + (0.6 * np.cos(angle) * size)[..., None] * out


def _outside(scalp: Scalp, points: Doubles, offset: Doubles) -> Doubles:
    """Push points out of the body until they are `offset` (N,) away from it."""
    for _ in range(2):
        distance, normal = scalp.distance(points)
        points = points + normal * np.maximum(offset - distance, 0)[:, None]
    return points


def _clear_face(points: Doubles, offset: Doubles) -> Doubles:
    """Keep hanging hair beside the face and outside the ears."""
    points = points.copy()
    x, y, z = points.T
    side = lookup(y, FACE_SIDE) + 0.3 * offset
    front = lookup(y, FACE_FRONT) + 0.3 * offset
    side = np.where(
        z > np.where(y < -1.0, 0.0, 0.30), side, (lookup(y, EAR_SIDE) + 0.3 * offset) * (z > -0.6)
    )
    points[:, 0] += np.where(x < 0, -1, 1) * 0.8 * np.maximum(side - np.abs(x), 0) * (y < 0.66)
    points[:, 2] = np.minimum(z, front)
    return points


def _smooth_lines(paths: Doubles, passes: int = 6) -> Doubles:
    for _ in range(passes):
        paths[:, 1:-1] = 0.25 * paths[:, :-2] + 0.5 * paths[:, 1:-1] + 0.25 * paths[:, 2:]
    return paths


def cut(rows: Doubles, ends: Doubles, paths: Doubles | None = None) -> Doubles:
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

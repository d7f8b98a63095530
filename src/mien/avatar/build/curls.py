"""Curls that stand on a body of hair (afro), and the bun that tied hair ends in."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.draft import Draft, draft
from mien.avatar.build.geometry import clip, compact, smoothstep, unit, vertex_normals
from mien.avatar.build.hairstyles import Coils, Style
from mien.avatar.build.human import Doubles
from mien.avatar.build.noise import fractal_noise
from mien.avatar.build.person import Hair
from mien.avatar.build.ribbons import ribbons
from mien.avatar.build.scalp import Scalp, above_hairline

TURNS, COIL_POINTS = 1.25, 8
COIL_TAPER = ((0, 0.5), (0.25, 1.0), (0.75, 1.0), (1.0, 0.4))
BODY_SHADE = 0.7
RAGGED = 0.10  # dm: how far its edge strays from the hairline
SMALL, DENSE = 0.45, 1.6  # radius of coils at the hairline, and how many more of them there are
BUN_RIBBONS, BUN_POINTS = 90, 14


def make_curls(
    scalp: Scalp, style: Style, coils: Coils, random: np.random.Generator, looks: Hair
) -> list[Draft]:
    """Return a dark body of hair, and the coils that lie on it."""
    body = _body(scalp, style, coils, looks)
    centre, normal = _scatter(body, style, coils, random)
    count = len(centre)
    tilted = unit(normal + 0.75 * random.normal(0, 0.6, (count, 3)))
    along = unit(np.cross(tilted, random.normal(0, 1, (count, 3))))
    across = np.cross(tilted, along)
    turn = np.linspace(0, 2 * np.pi * TURNS, COIL_POINTS) + random.uniform(0, 6.28, (count, 1))
    turn *= np.where(random.random((count, 1)) < 0.5, 1, -1)
    edge = _edge(centre, style)[:, None]
    radius = coils.radius * random.uniform(0.65, 1.25, (count, 1)) * (1 + (SMALL - 1) * edge)
    rise = radius * np.linspace(-0.5, 0.9, COIL_POINTS)
    ring = np.cos(turn)[..., None] * along[:, None] + np.sin(turn)[..., None] * across[:, None]
    paths = centre[:, None] + radius[..., None] * ring + rise[..., None] * tilted[:, None]
    facing = normal[:, None] + 0.55 * ring
    width = coils.width * random.uniform(0.7, 1.3, count) * (1 + (SMALL - 1) * edge[:, 0])
    return [body, ribbons(paths, facing, width, random, looks, taper=COIL_TAPER)]


def _body(scalp: Scalp, style: Style, coils: Coils, looks: Hair) -> Draft:
    """Return the scalp above the hairline, grown to the hair's depth, uneven like hair."""
    height = above_hairline(scalp.points, style.hairline)
    field = RAGGED * (fractal_noise(scalp.points * 9) - 0.5) - height
    faces, made, _ = clip(scalp.triangles, field)
    used, faces = compact(faces)
    points, height, normals = ((made @ rows)[used] for rows in (scalp.points, height, scalp.normals))
    full = smoothstep(-0.03, 0.55, height) ** 0.6
    swell = coils.depth * full * (0.85 + 0.3 * fractal_noise(points * 2.5))
    points = points + swell[:, None] * unit(normals + 0.6 * unit(points - [0, 0.3, -0.2]))
    body = draft("hair", "hair", points, faces, color=BODY_SHADE * np.array(looks.root), two_sided=True)
    body.normals = vertex_normals(points, faces)
    body.extra = np.c_[body.normals, np.full(len(points), 0.5)]  # dull: what shines are the coils
    return body


def _edge(points: Doubles, style: Style) -> Doubles:
    """Return how near points (N, 3) are to the hairline: 1 on it, 0 well above."""
    return smoothstep(0.22, 0.0, above_hairline(points, style.hairline))


def _scatter(body: Draft, style: Style, coils: Coils, random: np.random.Generator) -> tuple[Doubles, Doubles]:
    """Return evenly scattered points on the body, and its normals there."""
    corners = body.positions[body.triangles]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    area *= 1 + DENSE * _edge(corners.mean(axis=1), style)
    order = np.cumsum(area) / area.sum()
    chosen = np.searchsorted(order, (np.arange(coils.count) + random.random(coils.count)) / coils.count)
    u = random.random((coils.count, 2))
    u = np.where(u.sum(1, keepdims=True) > 1, 1 - u, u)
    shares = np.c_[1 - u.sum(1), u][..., None]
    normals = unit((body.normals[body.triangles[chosen]] * shares).sum(axis=1))
    sunk = random.uniform(-0.03, 0.05, (coils.count, 1)) * normals
    return (corners[chosen] * shares).sum(axis=1) + sunk, normals


def make_bun(tied: Doubles, radius: float, random: np.random.Generator, looks: Hair) -> Draft:
    """Return a bun of the `radius` where hair is tied: locks wound about its axis, each at its own slant."""
    axis = unit(tied * [1, 0.6, 1])
    side = unit(np.cross([0.0, 1.0, 0.0], axis))
    up = np.cross(axis, side)
    lap = random.uniform(-1.3, 1.3, (BUN_RIBBONS, 1)) + np.linspace(-0.35, 0.35, BUN_POINTS)
    turn = random.uniform(0, 6.28, (BUN_RIBBONS, 1)) + np.linspace(0, 2.6, BUN_POINTS)
    shell = radius * random.uniform(0.90, 1.04, (BUN_RIBBONS, 1)) * (1 - 0.10 * np.cos(2 * lap))
    out = (
        np.cos(lap)[..., None] * (np.cos(turn)[..., None] * side + np.sin(turn)[..., None] * up)
        + 0.85 * np.sin(lap)[..., None] * axis
    )
    width = radius * random.uniform(0.10, 0.22, BUN_RIBBONS)
    return ribbons(
        tied + 0.62 * radius * axis + shell[..., None] * out, out, width, random, looks, taper=COIL_TAPER
    )

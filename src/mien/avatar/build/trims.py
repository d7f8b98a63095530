"""Collars, lapels and bands: strips laid along a neckline, so that their edges are as straight as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mien.avatar.build.draft import Draft, draft
from mien.avatar.build.eyes import grid_triangles
from mien.avatar.build.geometry import Table, lookup, unit
from mien.avatar.build.human import Doubles
from mien.avatar.build.person import Color
from mien.avatar.build.surface import Surface

Field = Callable[[Doubles], Doubles]  # of positions (V, 3); cloth is where it is at most 0

POINTS = 44  # of half a neckline, from the front's middle to the back's
AHEAD = 0.17  # dm: a neck's middle lies this far before its joint
PLACKET, HALF, BUTTON = 2.2, 0.085, 0.032  # dm: length and half width of a placket, radius of a button
BLUNT = 24.0  # degrees from the front within which a round neckline is level
STIFF = 0.5  # how far a collar follows the neck when the head turns


@dataclass(frozen=True, slots=True, eq=False)
class Neckline:
    """The left half of a garment's upper edge: `points` (C, 3) from the front's middle to the back's,
    `outwards` (C, 3): along the cloth and away from the neck, `normals` (C, 3); `field`: cloth below it.
    """

    points: Doubles
    outwards: Doubles
    normals: Doubles
    field: Field


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a strip: how far from the neckline (negative: up the neck) and how high above the cloth,
    each by the share of the way to the back; `slide` along the neckline, towards the back.
    """

    away: Table
    height: Table
    slide: Table = ((0.0, 0.0), (1.0, 0.0))


def round_neckline(surface: Surface, neck: Doubles, front: float, side: float, back: float) -> Neckline:
    """Return a round neckline by its heights above the `neck` joint (3,)."""
    angle = np.linspace(0, np.pi, POINTS)
    height = neck[1] + lookup(np.degrees(angle), _round(front, side, back))
    return _neckline(_around(surface, neck, angle, height), surface, neck)


def v_neckline(
    surface: Surface, neck: Doubles, tip: tuple[float, float], side: tuple[float, float], back: float
) -> Neckline:
    """Return a V: straight from its `tip` (x, y) up to a `side` point (x, y), then around to the `back`.

    Heights are above the `neck` joint (3,).
    """
    first = POINTS * 3 // 5
    t = np.linspace(0, 1, first)[:, None]
    flat = np.array(tip) * (1 - t) + np.array(side) * t
    line = surface.project(np.c_[flat[:, 0], flat[:, 1] + neck[1], np.full(first, 1.2)])
    start = np.arctan2(line[-1, 0], line[-1, 2] - neck[2] - AHEAD)
    angle = np.linspace(start, np.pi, POINTS - first + 1)[1:]
    share = (angle - start) / (np.pi - start)
    height = neck[1] + side[1] + (back - side[1]) * np.sin(share * np.pi / 2)
    line = np.concatenate([line, _around(surface, neck, angle, height)])
    for _ in range(3):  # round the corner beside the neck
        line[first - 3 : -1] = 0.5 * line[first - 3 : -1] + 0.25 * (line[first - 4 : -2] + line[first - 2 :])
    return _neckline(line, surface, neck)


def _round(front: float, side: float, back: float) -> Table:
    degrees = np.linspace(0, 180, 91)
    blunt = np.hypot(degrees, BLUNT) - BLUNT  # no tip in front
    up = np.interp(blunt, [0, 90, 180], [front, side, back])
    ease = 0.5 - 0.5 * np.cos(np.radians(degrees) * 2 % np.pi)
    low = np.where(
        degrees < 90, front + (side - front) * ease, side + (back - side) * np.sin(ease * np.pi / 2)
    )
    return list(zip(degrees.tolist(), (0.25 * up + 0.75 * low).tolist(), strict=True))


def _around(surface: Surface, neck: Doubles, angle: Doubles, height: Doubles) -> Doubles:
    """Return the points of a surface at angles from the front about the neck, and heights."""
    across = np.stack([np.sin(angle), np.zeros(len(angle)), np.cos(angle)], 1)
    points = 0.65 * across + np.c_[np.zeros(len(angle)), height, np.full(len(angle), neck[2] + AHEAD)]
    for _ in range(14):
        distance, normals = surface.distance(points)
        slope = np.maximum((normals * across).sum(1), 0.35)
        points = points - (0.8 * distance / slope)[:, None] * across
    return np.asarray(points)


def _neckline(points: Doubles, surface: Surface, neck: Doubles) -> Neckline:
    points[[0, -1], 0] *= [1.0 if points[0, 0] > 0.02 else 0.0, 0.0]
    _, normals = surface.distance(points)
    tangent = unit(np.gradient(points, axis=0))
    outwards = unit(np.cross(tangent, normals))
    outwards[[0, -1]] *= [[1.0 if points[0, 0] > 0.02 else 0.0, 1, 1], [0.0, 1, 1]]
    angle = np.arctan2(points[:, 0], points[:, 2] - neck[2] - AHEAD)
    order = np.argsort(angle)
    table = np.stack([angle[order], points[order, 1]], 1)

    def field(p: Doubles) -> Doubles:
        at = np.abs(np.arctan2(p[:, 0], p[:, 2] - neck[2] - AHEAD))
        return np.asarray(p[:, 1] - np.interp(at, table[:, 0], table[:, 1]))

    return Neckline(points, unit(outwards), normals, field)


def strip(
    name: str,
    surface: Surface,
    weights: Doubles,
    line: Neckline,
    rows: Sequence[Row],
    color: Color,
    part: tuple[float, float] = (0.0, 1.0),
) -> Draft:
    """Lay a strip along a `part` of a neckline, on both sides; `weights` (V,): the surface's head weights."""
    size = len(line.points)
    at = np.linspace(part[0] * (size - 1), part[1] * (size - 1), max(round((part[1] - part[0]) * size), 4))
    t = at / (size - 1)
    laid = [_row(surface, line, row, at, t) for row in rows]
    grid = np.stack(laid, 0)
    count, columns = grid.shape[:2]
    shade = np.repeat(np.linspace(0.92, 1.0, count), columns)[:, None] * np.array(color)
    points = grid.reshape(-1, 3)
    faces = grid_triangles(count, columns)
    both = draft(
        name,
        "cloth",
        np.concatenate([points, points * [-1, 1, 1]]),
        np.concatenate([faces, faces[:, ::-1] + len(points)]),
        uvs=np.tile(
            np.stack(np.broadcast_arrays(t[None], np.linspace(0, 1, count)[:, None]), -1).reshape(-1, 2),
            (2, 1),
        ),
        color=np.tile(shade, (2, 1)),
        head_weight=np.tile(STIFF * surface.gather(points, weights), 2),
        two_sided=True,
    )
    both.find_normals()
    return both


def _row(surface: Surface, line: Neckline, row: Row, at: Doubles, t: Doubles) -> Doubles:
    low = np.minimum(at.astype(int), len(line.points) - 2)
    part = (at - low)[:, None]

    def along(rows: Doubles) -> Doubles:
        return np.asarray(rows[low] * (1 - part) + rows[low + 1] * part)

    points = along(line.points)
    tangent = unit(np.gradient(points, axis=0))
    start = (
        points + lookup(t, row.away)[:, None] * along(line.outwards) + lookup(t, row.slide)[:, None] * tangent
    )
    laid = surface.settle(start, lookup(t, row.height))
    for _ in range(4):
        laid[1:-1] = 0.25 * laid[:-2] + 0.5 * laid[1:-1] + 0.25 * laid[2:]
    return laid


def placket(name: str, surface: Surface, weights: Doubles, line: Neckline, color: Color) -> Draft:
    """Lay the buttoned edge of a shirt from the tip of its neckline down the front, with its buttons."""
    top = line.points[0, 1] - 0.02
    height, across = np.linspace(top, top - PLACKET, 14), np.array([-1.0, -1.0, -0.9, 0.9, 1.0, 1.0]) * HALF
    rise = np.array([0.0, 0.012, 0.018, 0.018, 0.012, 0.0])
    grid = np.stack(np.broadcast_arrays(across[:, None], height, 0.9), -1).reshape(-1, 3)
    laid = surface.project(grid) + np.repeat(rise, len(height))[:, None] * [0.0, 0.0, 1.0]
    buttons = surface.project(np.c_[np.zeros(4), top - 0.12 - 0.42 * np.arange(4), np.full(4, 0.9)])
    turn = np.linspace(0, 2 * np.pi, 9)[:-1]
    ring = np.c_[np.cos(turn), np.sin(turn), np.zeros(8)] * BUTTON
    dots = np.concatenate([np.r_[ring, [[0, 0, 0.006]]] + b + [0, 0, 0.026] for b in buttons])
    fan = np.stack([np.full(8, 8), np.arange(8), (np.arange(8) + 1) % 8], 1)
    faces = np.concatenate([fan + len(laid) + 9 * i for i in range(4)])
    points = np.concatenate([laid, dots])
    made = draft(
        name,
        "cloth",
        points,
        np.concatenate([grid_triangles(len(across), len(height))[:, ::-1], faces]),
        color=np.array(color) * np.r_[np.full(len(laid), 0.98), np.full(len(dots), 0.6)][:, None],
        head_weight=STIFF * surface.gather(points, weights),
        two_sided=True,
    )
    made.find_normals()
    return made

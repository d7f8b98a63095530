"""Clothes: the base mesh's suit helper, puffed out, cut along iso-lines and given a rim."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.geometry import (
    clip,
    compact,
    open_edges,
    relax,
    smoothstep,
    subdivide,
    triangulate,
    vertex_normals,
)
from mien.avatar.build.human import Doubles, Human, joint
from mien.avatar.build.noise import fractal_noise
from mien.avatar.build.person import Clothes

Field = Callable[[Doubles], Doubles]  # of positions (V, 3); cloth is where it is at most 0

LOWEST, WIDEST = -5.2, 4.0
WRINKLES = 0.03  # dm: how far cloth sinks in at most
HIDDEN_SHIRT, HIDDEN_SKIN = -0.14, -0.16  # how deep under the next layer a triangle is dropped


def make_clothes(human: Human, cast: Cast, colors: Clothes) -> tuple[list[Draft], Field]:
    """Return shirt, jacket and lapel, and the field of the shirt's neckline."""
    neck_z = float(joint(cast.vertices, "neck")[2])
    crew, jacket = _neckline(neck_z), _jacket(neck_z)
    suit = _suit(human, cast)
    shirt = _layer("shirt", suit, 0.022, crew, colors.shirt, rim=0.03)
    shirt.color *= 1 - 0.22 * smoothstep(-0.075, -0.06, crew(shirt.positions))[:, None]
    shirt.color *= 1 - 0.4 * smoothstep(0.13, -0.01, jacket(shirt.positions))[:, None]  # the jacket's shadow
    hidden = jacket(shirt.positions)[shirt.triangles].max(1) < HIDDEN_SHIRT
    shirt.keep(shirt.triangles[~hidden])
    outer = _layer("jacket", suit, 0.055, jacket, colors.jacket, rim=0.05, passes=4)
    lapel = _layer("lapel", suit, 0.085, _lapel(neck_z), colors.lapel, rim=0.05, passes=4)
    edge = _lapel(neck_z)
    outer.color *= 1 - 0.5 * smoothstep(0.14, 0.0, edge(outer.positions))[:, None]  # the fold's shadow
    lapel.color *= 1 + 0.5 * smoothstep(-0.04, -0.005, edge(lapel.positions))[:, None]  # its edge
    for part in (outer, lapel):
        part.head_weight *= 0.8
    return [shirt, outer, lapel], crew


def drop_covered(skin: Draft, neckline: Field) -> None:
    """Remove the skin that the shirt hides."""
    covered = neckline(skin.positions)[skin.triangles].max(1) < HIDDEN_SKIN
    skin.triangles = skin.triangles[~covered]


def _suit(human: Human, cast: Cast) -> Draft:
    quads = human.faces["helper-tights"][:, :, 0]
    corners = cast.vertices[quads]
    quads = quads[(corners[:, :, 1].min(1) > LOWEST) & (np.abs(corners[:, :, 0]).max(1) < WIDEST)]
    used, cage = compact(quads)
    matrix, fine = subdivide(cage, len(used))
    weights = matrix @ cast.head_weights[used]
    return draft("suit", "cloth", matrix @ cast.vertices[used], triangulate(fine), head_weight=weights)


def _layer(
    name: str,
    suit: Draft,
    offset: float,
    field: Field,
    color: tuple[float, float, float],
    *,
    rim: float,
    passes: int = 0,
) -> Draft:
    """Return the suit moved out by `offset`, cut where `field` is positive, its edge folded in by `rim`."""
    normals = vertex_normals(suit.positions, suit.triangles)
    shape = relax(suit.positions + offset * normals, suit.triangles, passes)
    if passes:
        shape = shape + 0.02 * normals
    triangles, matrix, cut = clip(suit.triangles, field(shape))
    shape, weights = matrix @ shape, matrix @ suit.head_weight
    inside = smoothstep(0.02, 0.3, -field(shape))
    depth = WRINKLES * inside * fractal_noise(shape * [2.4, 1.2, 2.4])
    shape = shape - depth[:, None] * vertex_normals(shape, triangles)
    edges = open_edges(triangles, cut)
    border, ends = np.unique(edges, return_inverse=True)
    outer = len(shape) + ends.reshape(edges.shape)
    inner = outer + len(border)
    fold = [
        np.stack([outer[:, 1], outer[:, 0], inner[:, 0]], 1),
        np.stack([outer[:, 1], inner[:, 0], inner[:, 1]], 1),
    ]
    sunk = shape[border] - rim * vertex_normals(shape, triangles)[border]
    made = draft(
        name,
        "cloth",
        np.concatenate([shape, shape[border], sunk]),
        np.concatenate([triangles, *fold]),
        color=color,
        head_weight=np.r_[weights, weights[border], weights[border]],
        two_sided=True,
    )
    made.keep(made.triangles)
    made.find_normals()
    return made


def _neckline(neck_z: float) -> Field:
    """Return the field of a crew neck."""

    def field(p: Doubles) -> Doubles:
        front = np.cos(np.arctan2(p[:, 0], p[:, 2] - neck_z - 0.12))
        line = -1.45 + np.where(front > 0, -0.36 * np.abs(front) ** 1.3, 0.20 * np.abs(front))
        return np.asarray(p[:, 1] - line)

    return field


def _opening(y: Doubles) -> Doubles:
    """Return the half width of the jacket's V at a height."""
    width = np.maximum((y + 3.45) * 0.37, 0)
    return np.where(y > -1.9, width + 0.20 * (y + 1.9), width)


def _jacket(neck_z: float) -> Field:
    """Return the field of an open jacket with a V in front."""

    def field(p: Doubles) -> Doubles:
        opening = np.where(p[:, 2] > neck_z + 0.05, 0.9 * (_opening(p[:, 1]) - np.abs(p[:, 0])), -1)
        collar = p[:, 1] + 1.48 - 0.30 * smoothstep(neck_z + 0.45, neck_z - 0.35, p[:, 2])
        return np.maximum(opening, collar)

    return field


def _lapel(neck_z: float) -> Field:
    """Return the field of the lapels: a band along the jacket's V, widest at the notch."""
    jacket = _jacket(neck_z)

    def field(p: Doubles) -> Doubles:
        y = p[:, 1]
        width = 0.10 + 0.30 * smoothstep(-1.5, -2.35, y) * smoothstep(-3.4, -2.55, y)
        return np.maximum(jacket(p), np.abs(p[:, 0]) - _opening(y) - width)

    return field

"""Clothes: the base mesh's suit helper, puffed out and cut along a neckline, with strips laid along it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.geometry import (
    clip,
    coarsen,
    compact,
    open_edges,
    relax,
    smoothstep,
    subdivide,
    triangulate,
)
from mien.avatar.build.geometry import vertex_normals as normals_of
from mien.avatar.build.human import Doubles, Human, Indices, joint
from mien.avatar.build.noise import fractal_noise, value_noise
from mien.avatar.build.outfits import OUTFITS, Garment
from mien.avatar.build.person import Clothes
from mien.avatar.build.surface import Surface
from mien.avatar.build.trims import Field, Neckline, placket, round_neckline, strip, v_neckline
from mien.errors import InputError, nearest

LOWEST, WIDEST = -5.2, 4.0
WRINKLES = 0.03  # dm: how far cloth sinks in at most
HIDDEN_CLOTH, HIDDEN_SKIN = -0.30, -0.16  # how deep under the next layer a triangle is dropped
DETAILED = 0.25  # dm: how near to its neckline cloth is drawn finely
STILL, TURNING = 0.05, 0.10  # weight of the head below which cloth lies still, above which it turns along
SHADE = 0.35  # of what lies under the edge of what is worn over it


@dataclass(frozen=True, slots=True, eq=False)
class _Sewn:
    """A garment's whole surface before it is cut, its neckline, and its finished drafts."""

    line: Neckline
    drafts: list[Draft]


def make_clothes(human: Human, cast: Cast, looks: Clothes) -> tuple[list[Draft], Field]:
    """Return an outfit's parts, and the field of its innermost neckline.

    Raises `InputError` when there is no such outfit.
    """
    if looks.outfit not in OUTFITS:
        raise InputError(f"no outfit {looks.outfit!r}{nearest(looks.outfit, OUTFITS)}")
    suit, neck = _suit(human, cast), joint(cast.vertices, "neck")
    sewn = [_sew(suit, neck, garment, looks) for garment in OUTFITS[looks.outfit]]
    for inner, outer in itertools.pairwise(sewn):
        _cover(inner.drafts, outer.line.field)
    return [part for each in sewn for part in each.drafts], sewn[0].line.field


def drop_covered(skin: Draft, neckline: Field) -> None:
    """Remove the skin that the clothes hide."""
    covered = neckline(skin.positions)[skin.triangles].max(1) < HIDDEN_SKIN
    skin.triangles = skin.triangles[~covered]


def _cover(drafts: list[Draft], field: Field) -> None:
    """Shade what lies under the edge of what is worn over it, and drop what is hidden."""
    for part in drafts:
        height = field(part.positions)
        part.color *= 1 - SHADE * smoothstep(0.22, -0.02, height)[:, None]
        part.keep(part.triangles[height[part.triangles].max(1) > HIDDEN_CLOTH])


def _suit(human: Human, cast: Cast) -> Draft:
    quads = human.faces["helper-tights"][:, :, 0]
    corners = cast.vertices[quads]
    quads = quads[(corners[:, :, 1].min(1) > LOWEST) & (np.abs(corners[:, :, 0]).max(1) < WIDEST)]
    used, cage = compact(quads)
    matrix, fine = subdivide(cage, len(used))
    weights = matrix @ cast.head_weights[used]
    weights = weights * smoothstep(STILL, TURNING, weights)  # what no pose moves is drawn once
    return draft("suit", "cloth", matrix @ cast.vertices[used], triangulate(fine), head_weight=weights)


def _sew(suit: Draft, neck: Doubles, garment: Garment, looks: Clothes) -> _Sewn:
    shape = _shell(suit, garment)
    surface = Surface.of(shape, normals_of(shape, suit.triangles))
    line = _line(surface, neck, garment)
    body = _cut(garment, suit, shape, line, getattr(looks, garment.tint))
    strips = []
    for piece in garment.strips:
        color = getattr(looks, piece.tint)
        made = strip(piece.name, surface, suit.head_weight, line, piece.rows, color, piece.part)
        if piece.ribs:
            made.color *= 1 - piece.ribs * (np.round(made.uvs[:, :1] * 43) % 2)
        strips.append(made)
    if garment.placket:
        strips.append(placket("placket", surface, suit.head_weight, line, getattr(looks, garment.tint)))
    return _Sewn(line, [body, *strips])


def _shell(suit: Draft, garment: Garment) -> Doubles:
    """Return the suit moved out to where a garment hangs; thick cloth spans hollows."""
    normals = normals_of(suit.positions, suit.triangles)
    shape = relax(suit.positions + garment.offset * normals, suit.triangles, garment.passes)
    return np.asarray(shape + 0.005 * garment.passes * normals)


def _line(surface: Surface, neck: Doubles, garment: Garment) -> Neckline:
    if garment.tip is None:
        return round_neckline(surface, neck, garment.front, garment.side, garment.back)
    circle = round_neckline(surface, neck, garment.side, garment.side, garment.side)
    width = float(circle.points[:, 0].max())
    side = (garment.wide * width, garment.side)
    return v_neckline(surface, neck, (garment.tip[0] * width, garment.tip[1]), side, garment.back)


def _coarse(suit: Draft, height: Doubles) -> Indices:
    """Return the suit's triangles, large ones far below the neckline (`height` above it, (V,))."""
    half = len(suit.triangles) // 2
    quads = np.c_[suit.triangles[:half], suit.triangles[half:, 2:]]
    near = np.asarray((np.abs(height) < DETAILED)[quads].reshape(-1, 16))
    return coarsen(quads, np.asarray(near.any(axis=1)), np.arange(len(suit.positions)))


def _cut(
    garment: Garment, suit: Draft, shape: Doubles, line: Neckline, color: tuple[float, float, float]
) -> Draft:
    """Return a garment's body: the shell cut a little below its neckline, wrinkled, with a rim folded in."""

    def field(p: Doubles) -> Doubles:
        return line.field(p) + garment.sunk

    triangles, matrix, rim = clip(_coarse(suit, field(shape)), field(shape))
    shape, weights = matrix @ shape, matrix @ suit.head_weight
    inside = smoothstep(0.05, 0.4, -field(shape))
    depth = WRINKLES * inside * fractal_noise(shape * [2.4, 1.2, 2.4])
    shape = shape - depth[:, None] * normals_of(shape, triangles)
    edges = open_edges(triangles, rim)
    border, ends = np.unique(edges, return_inverse=True)
    outer = len(shape) + ends.reshape(edges.shape)
    inner = outer + len(border)
    fold = [
        np.stack([outer[:, 1], outer[:, 0], inner[:, 0]], 1),
        np.stack([outer[:, 1], inner[:, 0], inner[:, 1]], 1),
    ]
    sunk = shape[border] - garment.offset * normals_of(shape, triangles)[border]
    points = np.concatenate([shape, shape[border], sunk])
    made = draft(
        garment.name,
        "cloth",
        points,
        np.concatenate([triangles, *fold]),
        color=np.array(color) * (1 + garment.wool * (value_noise(points * 14) - 0.5))[:, None],
        head_weight=np.r_[weights, weights[border], weights[border]] * 0.8,
        two_sided=True,
    )
    made.keep(made.triangles)
    made.find_normals()
    return made

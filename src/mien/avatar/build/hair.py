"""Hair: opaque tapered ribbons grown over the scalp, tied in a bun, or curled."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.curls import make_bun, make_curls
from mien.avatar.build.draft import Draft
from mien.avatar.build.geometry import Bools, Table, smoothstep, unit
from mien.avatar.build.growth import cut, grow, plant
from mien.avatar.build.hairstyles import STYLES, Layer, Style
from mien.avatar.build.human import Doubles
from mien.avatar.build.person import Hair
from mien.avatar.build.ribbons import TAPER, TIED, joined, ribbons
from mien.avatar.build.scalp import Scalp
from mien.errors import InputError, nearest

RAGGED = 0.05  # dm: spread of where long hair ends
KINK, RISE = 0.3, 0.2  # cosine of a sharp turn; of a step upwards
SPLAY = 0.7  # cosine between where hanging hair points and where it faces
CHIN_Y, THROAT_X = -0.8, 0.55  # dm
EDGE: Table = ((0, 0.1), (0.1, 0.5), *TAPER[2:])  # fine where it grows: a hairline has no blunt ends
AXIS = np.array([0.0, 0.1, -0.05])  # hanging hair is round about this


def hair_style(name: str) -> Style:
    """Return a style by name; raises `InputError` naming the nearest."""
    if name not in STYLES:
        raise InputError(f"no hair style {name!r}{nearest(name, STYLES)}")
    return STYLES[name]


def make_hair(scalp: Scalp, looks: Hair) -> list[Draft]:
    """Return a style's hair as one draft, or none where nothing grows."""
    style, random = hair_style(looks.style), np.random.default_rng(11)
    pieces = [_grow_layer(scalp, style, layer, random, looks) for layer in style.layers]
    if style.bun and style.gather:
        pieces.append(make_bun(np.array(style.gather), style.bun, random, looks))
    if style.coils:
        pieces += make_curls(scalp, style, style.coils, random, looks)
    return [joined(pieces)] if pieces else []


def _grow_layer(scalp: Scalp, style: Style, layer: Layer, random: np.random.Generator, looks: Hair) -> Draft:
    roots = plant(scalp, style, layer, random)
    paths, facing, width = *grow(scalp, style, layer, roots), roots.width
    if style.falls:
        ends = style.cut[0] + style.cut[1] * paths[:, -1, 2] + random.normal(0, RAGGED, len(paths))
        paths, facing = cut(paths, ends), cut(facing, ends, paths)
        facing = _hanging(paths, facing)
        smooth = ~(crumpled(paths) | splayed(paths, facing))
        paths, facing, width = paths[smooth], facing[smooth], width[smooth]
    tied, cropped = style.gather is not None and layer.band[1] > 1, layer.points < 4
    taper = TIED if tied else TAPER if cropped else EDGE
    return ribbons(paths, facing, width, random, looks, tone=layer.shade, taper=taper)


def crumpled(paths: Doubles) -> Bools:
    """Return which ribbons (S,) turn sharply, rise again below the chin, or end on the throat: they got
    caught on what they fell upon.
    """
    steps = unit(np.diff(paths, axis=1))
    bends = (steps[:, 1:] * steps[:, :-1]).sum(axis=2)
    rises = (steps[..., 1] > RISE) & (paths[:, 1:, 1] < CHIN_Y)
    ends = paths[:, -1]
    throat = (np.abs(ends[:, 0]) < THROAT_X) & (ends[:, 2] > 0) & (ends[:, 1] < CHIN_Y)
    return np.asarray((bends < KINK).any(axis=1) | rises.any(axis=1) | throat)


def splayed(paths: Doubles, facing: Doubles) -> Bools:
    """Return which ribbons (S,) point below the chin where they should face: they would twist."""
    along = np.abs((unit(np.gradient(paths, axis=1)) * unit(facing)).sum(axis=2))
    return np.asarray(((along > SPLAY) & (paths[..., 1] < CHIN_Y)).any(axis=1))


def _hanging(paths: Doubles, facing: Doubles) -> Doubles:
    """Return what hair faces: the skin's normals, and where it hangs away from the head's axis."""
    radial = unit((paths - AXIS) * [1, 0.3, 1])
    hanging = smoothstep(0.1, -0.5, paths[..., 1])[..., None]
    return np.asarray(facing * (1 - hanging) + radial * hanging)

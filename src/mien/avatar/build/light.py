"""Baked light: how open each vertex is to the surroundings, and how much of the key light it sees.

Both are found from depth maps, with the jaw closed and half open, so that a renderer mixes the two by
how far the mouth is open and needs no shadows of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from mien.avatar.build.depthmap import rasterise, visible
from mien.avatar.build.draft import Draft
from mien.avatar.build.geometry import Floats, relax, unit
from mien.avatar.build.human import Doubles, Indices
from mien.avatar.model import HALF_OPEN, KEY_LIGHT

Report = Callable[[float], None]

THREADS = 2
SKY_DIRECTIONS, KEY_DIRECTIONS = 64, 16
SKY_PIXELS, KEY_PIXELS = 400, 640
EXTENT = 2.3  # dm: half the side of the square that a depth map shows
CENTRE = np.array([0.0, -0.6, 0.1])
KEY_SPREAD = 0.20  # radius of the key light's disc at distance one
GOLDEN_ANGLE = np.pi * (3 - 5**0.5)
CASTS_SHADOW = ("skin", "eye", "teeth", "tongue", "cloth", "hair", "plain", "eyeball")


def bake(drafts: Sequence[Draft], report: Report) -> list[Indices]:
    """Fill `occlusion` and `key_light` of all drafts.

    Returns in how many pixels of all depth maps of the surroundings each draft's triangles (F,) show.
    """
    seen = np.zeros(sum(len(d.triangles) for d in drafts if d.material in CASTS_SHADOW), np.int64)
    for part in drafts:
        part.occlusion, part.key_light = (
            np.zeros((len(part.positions), 2)),
            np.zeros((len(part.positions), 2)),
        )
    for column, jaw in enumerate((0.0, HALF_OPEN)):
        positions = np.concatenate([d.posed(jawOpen=jaw) for d in drafts])
        normals = unit(np.concatenate([d.normals + jaw * d.turns.get("jawOpen", 0.0) for d in drafts]))
        triangles = _occluders(drafts)
        sky, shown = _mean(positions, normals, triangles, _sky(), _part_of(report, column / 2, 0.35))
        key, _ = _mean(positions, normals, triangles, _key(), _part_of(report, column / 2 + 0.35, 0.15))
        seen += shown
        start = 0
        for part in drafts:
            rows = slice(start, start + len(part.positions))
            part.occlusion[:, column], part.key_light[:, column] = sky[rows], key[rows]
            start = rows.stop
    ends = np.cumsum([len(d.triangles) if d.material in CASTS_SHADOW else 0 for d in drafts])
    return np.split(seen, ends[:-1])


def _part_of(report: Report, start: float, share: float) -> Report:
    """Return a report of a part of the work."""
    return lambda done: report(start + share * done)


def _occluders(drafts: Sequence[Draft]) -> Indices:
    offsets = np.cumsum([0, *(len(d.positions) for d in drafts)])
    return np.concatenate(
        [d.triangles + o for d, o in zip(drafts, offsets, strict=False) if d.material in CASTS_SHADOW]
    )


class _Lights:
    """Directions (N, 3), whether they weigh by the cosine, and how a depth map of them is made."""

    def __init__(self, directions: Doubles, pixels: int, bias: float, lift: float, *, cosine: bool) -> None:
        self.directions, self.pixels, self.bias, self.lift, self.cosine = (
            directions,
            pixels,
            bias,
            lift,
            cosine,
        )

    def weight(self, normals: Doubles, direction: Doubles) -> Doubles:
        if not self.cosine:
            return np.ones(len(normals))
        return np.maximum(normals @ direction, 0) * (1.25 if direction[1] > 0 else 0.75)


def _sky() -> _Lights:
    """Directions all around (Fibonacci sphere), more light from above."""
    i = np.arange(SKY_DIRECTIONS) + 0.5
    y, turn = 1 - 2 * i / SKY_DIRECTIONS, np.pi * (1 + 5**0.5) * i
    flat = np.sqrt(1 - y * y)
    directions = np.stack([np.cos(turn) * flat, y, np.sin(turn) * flat], 1)
    return _Lights(directions, SKY_PIXELS, bias=0.035, lift=0.012, cosine=True)


def _key() -> _Lights:
    """Directions over the key light's disc, so that its shadows are soft."""
    key = unit(np.array(KEY_LIGHT))
    across = unit(np.cross(key, [0.0, 1.0, 0.0]))
    i = np.arange(KEY_DIRECTIONS)
    reach, turn = KEY_SPREAD * np.sqrt((i + 0.5) / KEY_DIRECTIONS), i * GOLDEN_ANGLE
    disc = np.outer(reach * np.cos(turn), across) + np.outer(reach * np.sin(turn), np.cross(key, across))
    return _Lights(unit(key + disc), KEY_PIXELS, bias=0.030, lift=0.03, cosine=False)


def _mean(
    positions: Doubles, normals: Doubles, triangles: Indices, lights: _Lights, report: Report
) -> tuple[Doubles, Indices]:
    """Return the share (V,) of the lights that each vertex sees, and the pixels (F,) of each triangle."""
    faces = triangles.astype(np.int32)

    def one(direction: Doubles) -> tuple[Doubles, Doubles, Indices]:
        depth, owner = rasterise(
            _pixels(positions, direction, lights.pixels), faces, lights.pixels, lights.pixels
        )
        weight = lights.weight(normals, direction)
        seen = visible(
            _pixels(positions + lights.lift * normals, direction, lights.pixels), depth, lights.bias
        )
        return weight * seen, weight, np.bincount(owner[owner >= 0], minlength=len(faces))

    total, weights, pixels = (
        np.zeros(len(positions)),
        np.zeros(len(positions)),
        np.zeros(len(faces), np.int64),
    )
    for i, (light, weight, shown) in enumerate(_in_order(one, lights.directions)):
        total, weights, pixels = total + light, weights + weight, pixels + shown
        report((i + 1) / len(lights.directions))
    return total / np.maximum(weights, 1e-6), pixels


def _in_order(
    work: Callable[[Doubles], tuple[Doubles, Doubles, Indices]], items: Doubles
) -> Iterator[tuple[Doubles, Doubles, Indices]]:
    """Run on two threads, but yield in order, so that sums come out the same every time."""
    with ThreadPoolExecutor(THREADS) as pool:
        yield from pool.map(work, items)


def _pixels(points: Doubles, direction: Doubles, pixels: int) -> Floats:
    """Return points (V, 3) as a viewer at `direction` sees them, in pixels; z in dm away from the viewer."""
    up = [0.0, 1.0, 0.0] if abs(direction[1]) < 0.95 else [1.0, 0.0, 0.0]
    right = unit(np.cross(up, direction))
    view = np.stack([right, np.cross(direction, right), -direction], 1)
    seen = (points - CENTRE) @ view
    seen[:, :2] = (seen[:, :2] / EXTENT * 0.5 + 0.5) * pixels
    return np.asarray(seen, np.float32)


def soften(part: Draft, weld: Indices | None = None) -> None:
    """Even out a part's baked light over its mesh."""
    passes = {"skin": (2, 1), "cloth": (3, 2), "hair": (4, 2)}.get(part.material)
    if passes is None:
        return
    owner = np.arange(len(part.positions)) if weld is None else weld
    _, first = np.unique(owner, return_index=True)
    triangles = owner[part.triangles]
    part.occlusion = relax(part.occlusion[first], triangles, passes[0])[owner]
    part.key_light = relax(part.key_light[first], triangles, passes[1])[owner]

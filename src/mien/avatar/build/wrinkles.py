"""The lines that age draws: polylines by the face's landmarks, as grooves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mien.avatar.build.canvas import Canvas
from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles
from mien.avatar.build.landmarks import Landmarks
from mien.avatar.build.noise import fractal_noise

Path = tuple[tuple[float, float], ...]
WOBBLE = 0.045  # dm: how far skin's unevenness bends a line


@dataclass(frozen=True, slots=True)
class Line:
    """`path` in x and y of the left half, dm; `width` dm; `depth` of 1 is a deep fold; `onset`: the share of
    age (`Skin.lines`) at which it begins to show.
    """

    path: Path
    width: float
    depth: float
    onset: float = 0.0


def wrinkles(canvas: Canvas, age: float) -> Doubles:
    """Return how deep the lines of age are at each texel (N,): 0 none, 1 a deep fold, below 0 the bulge
    beside one.
    """
    depth = np.zeros(len(canvas.points))
    if age <= 0:
        return depth
    front = np.flatnonzero((canvas.points[:, 2] > canvas.nose_z - 1.0) & (canvas.in_mouth < 0.5))
    points = canvas.points[front]
    bent = np.stack([fractal_noise(points * 5 + k, 3) - 0.44 for k in (0.0, 31.7)], 1) * WOBBLE
    flat = np.stack([np.abs(points[:, 0]), points[:, 1]], 1) + bent
    for line in _lines(canvas.face):
        strength = age * float(smoothstep(line.onset - 0.15, line.onset + 0.35, age))
        depth[front] += strength * line.depth * _groove(flat, line)
    uneven = 0.65 + 0.7 * fractal_noise(canvas.points * 9 + 3.1, 2)
    return np.asarray(np.minimum(depth * uneven, 1.2))


def _groove(flat: Doubles, line: Line) -> Doubles:
    """Return a line's cross-section at points (N, 2): 1 in the groove, a little below 0 on its banks."""
    reach = 4 * line.width
    low, high = np.min(line.path, axis=0) - reach, np.max(line.path, axis=0) + reach
    near = np.flatnonzero(((flat > low) & (flat < high)).all(axis=1))
    away, along = _distance(flat[near], np.array(line.path))
    q = away / line.width
    taper = smoothstep(0.0, 0.22, along) * smoothstep(1.0, 0.72, along)
    profile = np.zeros(len(flat))
    profile[near] = taper * (1.25 * np.exp(-q * q) - 0.30 * np.exp(-((q / 2.3) ** 2)))
    return profile


def _distance(points: Doubles, path: Doubles) -> tuple[Doubles, Doubles]:
    """Return each point's distance to a polyline, and how far along it the nearest place is, in [0, 1]."""
    nearest, along = np.full(len(points), np.inf), np.zeros(len(points))
    for i, (a, b) in enumerate(pairwise(path)):
        t = np.clip((points - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-9), 0, 1)
        away = np.linalg.norm(points - a - t[:, None] * (b - a), axis=1)
        closer = away < nearest
        nearest[closer], along[closer] = away[closer], ((i + t) / (len(path) - 1))[closer]
    return nearest, along


def _from(start: Doubles, *steps: tuple[float, float]) -> Path:
    return tuple((float(start[0] + x), float(start[1] + y)) for x, y in steps)


def _lines(face: Landmarks) -> Iterator[Line]:
    """Yield all lines of a face, the first ones to come first."""
    wing, corner, outer, inner = face.nose_wing, face.mouth_corner, face.outer_eye, face.inner_eye
    half = (corner - wing) / 2
    smile = _from(
        wing, (0.022, 0.055), (half[0] + 0.050, half[1] + 0.03), (2 * half[0] + 0.062, 2 * half[1] + 0.01)
    )
    yield Line((*smile, (corner[0] + 0.075, corner[1] - 0.10)), 0.016, 0.75)
    for x, y, length in ((0.045, 0.030, 0.11), (0.050, -0.002, 0.13), (0.045, -0.032, 0.11)):
        yield Line(_from(outer, (x, y), (x + length * 0.55, y * 1.7), (x + length, y * 3)), 0.006, 0.5, 0.1)
    yield Line(_from(outer, (0.02, -0.055), (0.085, -0.10), (0.12, -0.15)), 0.006, 0.35, 0.3)
    for drop, onset in ((0.055, 0.1), (0.095, 0.3), (0.135, 0.55)):
        middle = (face.eye[0] - inner[0], -drop - 0.075)
        yield Line(
            _from(inner, (0.0, -drop * 0.6), middle, (outer[0] - inner[0], -drop * 0.75)), 0.008, 0.35, onset
        )
    for i, y in enumerate((0.40, 0.49, 0.575, 0.66)):
        yield Line(((-0.05, y), (0.14, y + 0.012), (0.30, y + 0.004), (0.43, y - 0.05)), 0.010, 0.45, 0.1 * i)
    yield Line(((0.062, 0.09), (0.055, 0.19), (0.075, 0.27)), 0.009, 0.5, 0.2)
    yield Line(_from(corner, (0.012, -0.025), (0.032, -0.10), (0.028, -0.20)), 0.012, 0.5, 0.35)
    for x in (0.035, 0.075, 0.115, 0.155):
        top = face.philtrum[1] * 0.55 + corner[1] * 0.45
        yield Line(((x, top - 0.035), (x * 1.06, top + 0.035)), 0.006, 0.3, 0.5)
    for drop in (0.32, 0.50):
        y = face.chin[1] - drop
        yield Line(((-0.05, y - 0.02), (0.2, y), (0.42, y + 0.10)), 0.012, 0.35, 0.2)

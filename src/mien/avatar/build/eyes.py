"""Eyeballs: spheres with a cornea. The base mesh's own have neither cornea nor iris."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import LEFT_EYE, Doubles, Indices

CORNEA = 0.055  # bulge, as a share of the eyeball's radius
CORNEA_EDGE = 0.60  # radians from the eye's axis
# How a closing lid pushes the eyeball back, dm: lids are blended on straight lines and would cut into it.
YIELD = (0.0, 0.0, -0.020)
BACK = 1.9  # radians: beyond, nothing of an eyeball is ever seen
SEGMENTS, CORNEA_RINGS, RINGS = 32, 10, 20


def eye_radius(cast: Cast) -> float:
    """Return the eyeball's radius, dm."""
    ball = cast.vertices[LEFT_EYE]
    return float(np.linalg.norm(ball - ball.mean(axis=0), axis=1).mean())


def make_eyes(cast: Cast) -> list[Draft]:
    """Return the left and the right eyeball, looking straight ahead."""
    radius, made = eye_radius(cast), []
    unit_ball, triangles = _ball()
    for side, (name, centre) in enumerate(zip(("eye_left", "eye_right"), cast.eyes, strict=True)):
        extra = np.c_[unit_ball, np.full(len(unit_ball), side)]
        eye = draft(
            name,
            "eye",
            unit_ball * radius + centre,
            triangles,
            uvs=extra[:, :2] * 0.5 + 0.5,
            extra=extra,
            morphs={f"eyeBlink{'Right' if side else 'Left'}": np.tile(YIELD, (len(unit_ball), 1))},
        )
        eye.find_normals()
        made.append(eye)
    return made


def _ball() -> tuple[Doubles, Indices]:
    """Return a unit eyeball about the origin, axis along Z."""
    near = np.linspace(0, CORNEA_EDGE + 0.02, CORNEA_RINGS)
    rings = np.r_[near, np.linspace(near[-1], BACK, RINGS - CORNEA_RINGS + 1)[1:]]
    angle, turn = np.meshgrid(rings, np.arange(SEGMENTS) * 2 * np.pi / SEGMENTS, indexing="ij")
    reach = 1 + CORNEA * (1 - smoothstep(0, CORNEA_EDGE, angle))
    flat = np.sin(angle)
    ball = np.stack([flat * np.cos(turn), flat * np.sin(turn), np.cos(angle)], -1) * reach[..., None]
    return ball.reshape(-1, 3), grid_triangles(len(rings), SEGMENTS, wrap=True)


def grid_triangles(rows: int, columns: int, *, wrap: bool = False) -> Indices:
    """Return the triangles of a grid of vertices in row order; `wrap` joins the last column to the first."""
    across = np.arange(columns if wrap else columns - 1)
    i, j = np.meshgrid(np.arange(rows - 1) * columns, across, indexing="ij")
    a, b = i + j, i + (j + 1) % columns
    return np.stack([a, a + columns, b, b, a + columns, b + columns], -1).reshape(-1, 3)

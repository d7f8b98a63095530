"""Drop the triangles that a presenter's camera never sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np

from mien.avatar.build.depthmap import rasterise
from mien.avatar.build.draft import Draft
from mien.avatar.build.geometry import Floats, unit
from mien.avatar.build.human import Doubles, Indices

YAW, PITCH = 38.0, 16.0  # degrees either way
YAWS, PITCHES = 15, 3
PIXELS = 900
DISTANCE, FIELD_OF_VIEW = 11.5, 44.0  # dm, degrees
LOOK_AT = np.array([0.0, -2.2, 0.0])
# What is hidden at rest must stay where a pose uncovers it.
POSES: tuple[Mapping[str, float], ...] = (
    {},
    {"jawOpen": 1.0},
    {"eyeBlinkLeft": 1.0, "eyeBlinkRight": 1.0, "mouthPucker": 1.0, "browInnerUp": 1.0},
    {
        "jawOpen": 0.5, "mouthUpperUpLeft": 1.0, "mouthUpperUpRight": 1.0, "mouthLowerDownLeft": 1.0,
        "mouthLowerDownRight": 1.0, "eyeWideLeft": 1.0, "eyeWideRight": 1.0, "tongueOut": 1.0,
    },
)  # fmt: skip
THREADS = 2
CULLED = ("skin", "cloth", "hair")
HAIR_PIXELS = 4  # a ribbon's triangle seen in fewer, over all views, is not worth drawing


def drop_unseen(drafts: Sequence[Draft]) -> None:
    """Remove what is seen from no view in no pose; the neighbours of a seen triangle stay."""
    offsets = np.cumsum([0, *(len(d.positions) for d in drafts)])
    triangles = np.concatenate([d.triangles + o for d, o in zip(drafts, offsets, strict=False)])
    seen = np.zeros(len(triangles), np.int64)
    for i, pose in enumerate(POSES):
        seen += _seen(drafts, triangles, pose, _views()[:: 3 if i else 1])
    starts = np.cumsum([len(d.triangles) for d in drafts])[:-1]
    for part, pixels in zip(drafts, np.split(seen, starts), strict=True):
        if part.material == "hair":
            part.keep(part.triangles[pixels > HAIR_PIXELS])
        elif part.material in CULLED:
            vertex = np.zeros(len(part.positions), bool)
            vertex[part.triangles[pixels > 0].ravel()] = True
            vertex |= (part.material == "skin") & (part.extra[:, 0] > 0)  # the mouth, whatever its shape
            part.keep(part.triangles[vertex[part.triangles].any(axis=1)])


def _views() -> list[Doubles]:
    """Return camera positions (3,) on a sphere."""
    yaws, pitches = np.linspace(-YAW, YAW, YAWS), np.linspace(-PITCH, PITCH, PITCHES)
    return [
        DISTANCE * np.array([np.sin(a) * np.cos(b), np.sin(b), np.cos(a) * np.cos(b)])
        for a, b in product(np.radians(yaws), np.radians(pitches))
    ]


def _seen(
    drafts: Sequence[Draft], triangles: Indices, pose: Mapping[str, float], views: Sequence[Doubles]
) -> Indices:
    """Return in how many pixels each triangle (F,) is seen, over all views."""
    points = np.concatenate([d.posed(**pose) for d in drafts]) - LOOK_AT
    faces = triangles.astype(np.int32)

    def count(eye: Doubles) -> Indices:
        _, owner = rasterise(_project(points, eye), faces, PIXELS, PIXELS)
        return np.bincount(owner[owner >= 0], minlength=len(faces))

    with ThreadPoolExecutor(THREADS) as pool:
        return np.asarray(sum(pool.map(count, views)))


def _project(points: Doubles, eye: Doubles) -> Floats:
    """Return points (V, 3) as `eye` sees them: pixels, and a depth that is linear in them."""
    back = unit(eye)
    right = unit(np.cross([0.0, 1.0, 0.0], back))
    seen = (points - eye) @ np.stack([right, np.cross(back, right), -back], 1)
    scale = PIXELS / 2 / np.tan(np.radians(FIELD_OF_VIEW) / 2)
    flat = np.c_[PIXELS / 2 + scale * seen[:, :2] / seen[:, 2:], -1 / seen[:, 2]]
    return np.asarray(flat, np.float32)

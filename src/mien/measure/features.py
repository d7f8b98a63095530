"""One face's landmarks → what its mouth, eyes and head do. All lengths in units of the outer eye distance."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mien.vision import Landmarks

Floats = NDArray[np.float32]
Points = NDArray[np.floating]

# Points of MediaPipe's mesh. Lip pairs: upper, lower; the middle of the mouth and beside it.
INNER_LIPS = ((13, 14), (82, 87), (312, 317))
OUTER_LIPS = ((0, 17), (37, 84), (267, 314))
MOUTH_CORNERS = (61, 291)
NOSE_BASE, CHIN, FOREHEAD = 2, 152, 10
OUTER_EYES = (33, 263)
CHEEKS = (234, 454)
# Bone under thin skin, still while speaking: what the head's motion is read from.
STEADY = (33, 133, 263, 362, 168, 6, 197, 195, 5, 4, 10, 151, 9, 127, 356)


@dataclass(frozen=True, slots=True)
class Face:
    """One face in one picture.

    `aperture`: gap between the inner lips; `outer`: between the outer edges of both lips; `width`: between
    the mouth's corners; `jaw`: nose base to chin; `eyes`: lid gap over eye width, mean of both eyes.
    `x`, `y`: middle of the steady points, pixels; `scale`: outer eye distance, pixels;
    `yaw`, `pitch`, `roll`: radians, only as good as a picture of one camera tells.
    """

    aperture: float
    outer: float
    width: float
    jaw: float
    eyes: float
    x: float
    y: float
    scale: float
    yaw: float
    pitch: float
    roll: float


NAMES = tuple(field.name for field in fields(Face))


def read_face(landmarks: Landmarks, eyes: float) -> Face:
    """Return the features of one face, with the head's turn and tilt undone as far as the depth is known.

    `eyes`: see `mien.vision.EyeLids`.
    """
    points = landmarks.points.astype(np.float64)
    across, down = _axes(points)
    scale = float(np.linalg.norm(points[OUTER_EYES[1]] - points[OUTER_EYES[0]]))
    corners = points[MOUTH_CORNERS[1]] - points[MOUTH_CORNERS[0]]
    middle = points[list(STEADY)].mean(axis=0)
    return Face(
        aperture=_gap(points, INNER_LIPS, down) / scale,
        outer=_gap(points, OUTER_LIPS, down) / scale,
        width=float(np.linalg.norm(corners)) / scale,
        jaw=float((points[CHIN] - points[NOSE_BASE]) @ down) / scale,
        eyes=eyes,
        x=float(middle[0]),
        y=float(middle[1]),
        scale=scale,
        yaw=float(np.arctan2(across[2], across[0])),
        pitch=float(np.arctan2(down[2], down[1])),
        roll=float(np.arctan2(across[1], across[0])),
    )


def _axes(points: Points) -> tuple[Points, Points]:
    """Return the face's own unit vectors: across (to the picture's right) and down."""
    across = points[CHEEKS[1]] - points[CHEEKS[0]]
    across = across / np.linalg.norm(across)
    down = points[CHIN] - points[FOREHEAD]
    down = down - (down @ across) * across
    return across, down / np.linalg.norm(down)


def _gap(points: Points, pairs: tuple[tuple[int, int], ...], down: Points) -> float:
    """Return the mean distance of the pairs along `down`; signed: noise does not open a closed mouth."""
    upper, lower = (points[[pair[side] for pair in pairs]] for side in (0, 1))
    return float(np.mean((lower - upper) @ down))


def steady_shape(landmarks: Landmarks) -> Floats:
    """Return the steady points `(n, 2)` in face widths, with the head's place, size and roll removed."""
    flat = landmarks.points[:, :2]
    chosen = flat[list(STEADY)]
    across = flat[CHEEKS[1]] - flat[CHEEKS[0]]
    width = float(np.linalg.norm(across))
    eyes = flat[OUTER_EYES[1]] - flat[OUTER_EYES[0]]
    cos, sin = eyes / max(float(np.linalg.norm(eyes)), 1e-9)
    turn = np.array([[cos, -sin], [sin, cos]])
    return np.asarray((chosen - chosen.mean(axis=0)) @ turn / max(width, 1e-9), np.float32)

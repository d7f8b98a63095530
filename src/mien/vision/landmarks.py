"""The 468 points of MediaPipe's face mesh.

Y. Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs", 2019.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.vision.networks import Floats, Image, load
from mien.vision.region import Region

# Points of the mesh; right and left are the person's.
RIGHT_EYE_OUTER, LEFT_EYE_OUTER = 33, 263


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """`points` (468, 3): x, y and depth in pixels (towards the camera negative); `score` in [0, 1]."""

    points: Floats
    score: float

    @property
    def region(self) -> Region:
        """The square in which to look for this face in the next picture."""
        flat = self.points[:, :2]
        box = np.concatenate([flat.min(axis=0), flat.max(axis=0)])
        return Region.around(box, flat[RIGHT_EYE_OUTER], flat[LEFT_EYE_OUTER])


class FaceLandmarks:
    """Finds the 468 points of the face in a region of a picture."""

    def __init__(self) -> None:
        self._network = load("face_landmark")

    def __call__(self, picture: Image, region: Region) -> Landmarks:
        """Return the points in an RGB picture `(H, W, 3)` uint8; a low score says that there is no face."""
        size = self._network.size
        mesh, presence = self._network(region.cut(picture, size))
        unit = mesh.reshape(-1, 3) / size
        flat = region.to_picture(unit[:, :2])
        points = np.concatenate([flat, unit[:, 2:] * region.size], axis=1)
        logit = float(np.clip(presence.ravel()[0], -80, 80))
        return Landmarks(points.astype(np.float32), float(1 / (1 + np.exp(-logit))))

"""The 468 points of MediaPipe's face mesh.

Y. Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs", 2019.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.vision.networks import Floats, Network, Picture, load
from mien.vision.region import GROWTH, Region

# Points of the mesh; right and left are the person's.
RIGHT_EYE_OUTER, LEFT_EYE_OUTER, NOSE_BASE = 33, 263, 2

# Forehead to chin over forehead to nose base, lips closed: the square must not grow when the jaw drops.
FACE_HEIGHT = 1.67

# The network's reading of a mouth depends a little on the square it is shown: (size, turn, move down in
# sizes) of the views whose mean is taken. Two are opposite, so that what is linear in them cancels.
VIEWS = ((1.0, 0.0, 0.0), (0.92, -0.08, -0.03), (1.08, 0.08, 0.03))


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """`points` (468, 3): x, y and depth in pixels (towards the camera negative); `score` in [0, 1]."""

    points: Floats
    score: float

    @property
    def region(self) -> Region:
        """The square in which to look for this face in the next picture; speech does not move it."""
        flat = self.points[:, :2]
        start, end = flat[RIGHT_EYE_OUTER], flat[LEFT_EYE_OUTER]
        axes = Region(0, 0, 1, float(np.arctan2(end[1] - start[1], end[0] - start[0]))).axes
        own = flat @ axes
        left, right, top = own[:, 0].min(), own[:, 0].max(), own[:, 1].min()
        bottom = top + FACE_HEIGHT * (own[NOSE_BASE, 1] - top)
        x, y = axes @ [(left + right) / 2, (top + bottom) / 2]
        size = GROWTH * max(right - left, bottom - top)
        return Region(float(x), float(y), float(size), float(np.arctan2(axes[1, 0], axes[0, 0])))


class FaceLandmarks:
    """Finds the 468 points of the face in a region of a picture."""

    def __init__(self, network: Network | None = None) -> None:
        """`network`: the one to use instead of the pack's in OpenVINO."""
        self.network = network or load("face_landmark")

    def __call__(self, picture: Picture, region: Region) -> Landmarks:
        """Return the points in an RGB picture `(H, W, 3)` uint8; a low score says that there is no face."""
        views = [self._view(picture, region.varied(*view)) for view in VIEWS]
        points = np.mean([view.points for view in views], axis=0)
        return Landmarks(points, min(view.score for view in views))

    def _view(self, picture: Picture, region: Region) -> Landmarks:
        return self.placed(self.network(region.cut(picture, self.network.size)), region)

    def placed(self, outputs: list[Floats], region: Region) -> Landmarks:
        """Return the points that the network saw in a region, in the picture."""
        mesh, presence = outputs
        unit = mesh.reshape(-1, 3) / self.network.size
        flat = region.to_picture(unit[:, :2])
        points = np.concatenate([flat, unit[:, 2:] * region.size], axis=1)
        logit = float(np.clip(presence.ravel()[0], -80, 80))
        return Landmarks(points.astype(np.float32), float(1 / (1 + np.exp(-logit))))

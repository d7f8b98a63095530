"""The lids of an eye, by MediaPipe's iris network: the face mesh alone does not see a blink.

A. Ablavatski et al., "Real-time Pupil Tracking from Monocular Video for Digital Puppetry", 2020.
"""

from __future__ import annotations

import numpy as np

from mien.vision.landmarks import Landmarks
from mien.vision.networks import Picture, load
from mien.vision.region import Region

# Corners of each eye in the face mesh, inner first; the network knows the left eye, the right is mirrored.
EYES = ((133, 33, True), (362, 263, False))
MARGIN = 2.3  # MediaPipe's square around an eye, in eye widths
# Points of the network's eye contour: corners, and lids opposite each other.
CORNERS, UPPER, LOWER = (0, 8), (11, 12, 13), (3, 4, 5)


class EyeLids:
    """Measures how far the eyes are open."""

    def __init__(self) -> None:
        self._network = load("iris_landmark")

    def __call__(self, picture: Picture, face: Landmarks) -> float:
        """Return the lid gap over the eye's width, mean of both eyes, of a face in an RGB picture."""
        return float(np.mean([self._open(picture, face, *eye) for eye in EYES]))

    def _open(self, picture: Picture, face: Landmarks, inner: int, outer: int, mirror: bool) -> float:
        size = self._network.size
        cut = eye_region(face, inner, outer, mirror).cut(picture, size)
        contour = self._network(cut[:, ::-1] if mirror else cut)[0].reshape(-1, 3)[:, :2]
        width = np.linalg.norm(contour[CORNERS[1]] - contour[CORNERS[0]])
        gap = np.mean(contour[list(LOWER), 1] - contour[list(UPPER), 1])
        return float(gap / max(width, 1e-6))


def eye_region(face: Landmarks, inner: int, outer: int, mirror: bool) -> Region:
    """Return the square around an eye, level with its corners."""
    start, end = face.points[[inner, outer], :2].astype(float)
    along = start - end if mirror else end - start
    x, y = (start + end) / 2
    return Region(float(x), float(y), MARGIN * float(np.hypot(*along)), float(np.arctan2(along[1], along[0])))

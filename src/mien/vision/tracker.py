"""A face followed through a film."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mien.vision.detector import Detection, FaceDetector
from mien.vision.landmarks import FaceLandmarks, Landmarks
from mien.vision.networks import Picture
from mien.vision.region import Region

JUMP = 0.1  # of the square's size, or radians: farther than this the square follows at once
FOLLOW = 0.3
SMALLEST = 16  # pixels of a square that can still be read
CLOSER_EVERY = 15  # pictures without a face between two searches for small ones
TILES = 3  # along the longer side, and as many in between


class FaceTracker:
    """Follows the largest face: looks where it was, and searches the whole picture when it is lost.

    No picture's points are smoothed with another's: what is measured has no lag.
    """

    def __init__(self, *, min_score: float = 0.5) -> None:
        self._landmarks = FaceLandmarks()
        self._near, self._far = FaceDetector("short"), FaceDetector("full")
        self._min_score = min_score
        self._region: Region | None = None
        self._lost = 0

    def __call__(self, picture: Picture) -> Landmarks | None:
        """Return the face in the next picture `(H, W, 3)` uint8 RGB, or None when there is none."""
        found = self._look(picture, self._region) if self._region else None
        found = found or self._search(picture)
        self._region = self._next(found.region) if found else None
        self._lost = 0 if found else self._lost + 1
        return found

    def _next(self, seen: Region) -> Region:
        """Return where to look next: near where the face is, without trembling when it is still.

        The points lie where they lie whatever square they are sought in, so this adds no lag to them.
        """
        last = self._region
        if last is None or max(abs(seen.x - last.x), abs(seen.y - last.y)) > JUMP * last.size:
            return seen
        if abs(seen.angle - last.angle) > JUMP or abs(seen.size / last.size - 1) > JUMP:
            return seen
        return last.towards(seen, FOLLOW)

    def _look(self, picture: Picture, region: Region) -> Landmarks | None:
        found = self._landmarks(picture, region)
        return found if found.score >= self._min_score and found.region.size >= SMALLEST else None

    def _search(self, picture: Picture) -> Landmarks | None:
        """Detect near faces, then far ones; refine the region once, as the next picture would."""
        for face in self._candidates(picture):
            if first := self._look(picture, face.region):
                return self._look(picture, first.region) or first
        return None

    def _candidates(self, picture: Picture) -> Iterator[Detection]:
        yield from self._near(picture)
        yield from self._far(picture)
        if self._lost % CLOSER_EVERY == 0:
            yield from self._small(picture)

    def _small(self, picture: Picture) -> Iterator[Detection]:
        """Detect in overlapping parts of the picture, the largest face of all first."""
        height, width = picture.shape[:2]
        side = min(max(height, width) // TILES, height, width)
        found = []
        for top in np.linspace(0, height - side, 1 + round(1.5 * (height - side) / side)).astype(int):
            for left in np.linspace(0, width - side, 1 + round(1.5 * (width - side) / side)).astype(int):
                faces = self._far(picture[top : top + side, left : left + side])
                found += [face.moved(left, top) for face in faces]
        yield from sorted(found, key=lambda face: -face.area)

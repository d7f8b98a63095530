"""A face followed through a film."""

from __future__ import annotations

from mien.vision.detector import FaceDetector
from mien.vision.landmarks import FaceLandmarks, Landmarks
from mien.vision.networks import Image
from mien.vision.region import Region

JUMP = 0.1  # of the square's size, or radians: farther than this the square follows at once
FOLLOW = 0.3


class FaceTracker:
    """Follows the largest face: looks where it was, and searches the whole picture when it is lost.

    No picture's points are smoothed with another's: what is measured has no lag.
    """

    def __init__(self, *, min_score: float = 0.5) -> None:
        self._landmarks = FaceLandmarks()
        self._detectors: dict[str, FaceDetector] = {}
        self._min_score = min_score
        self._region: Region | None = None

    def __call__(self, picture: Image) -> Landmarks | None:
        """Return the face in the next picture `(H, W, 3)` uint8 RGB, or None when there is none."""
        found = self._look(picture, self._region) if self._region else None
        found = found or self._search(picture)
        self._region = self._next(found.region) if found else None
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

    def _look(self, picture: Image, region: Region) -> Landmarks | None:
        found = self._landmarks(picture, region)
        return found if found.score >= self._min_score and found.region.size >= 16 else None

    def _search(self, picture: Image) -> Landmarks | None:
        """Detect near faces, then far ones; refine the region once, as the next picture would."""
        for reach in ("short", "full"):
            if reach not in self._detectors:
                self._detectors[reach] = FaceDetector(reach)
            for face in self._detectors[reach](picture):
                if first := self._look(picture, face.region):
                    return self._look(picture, first.region) or first
        return None

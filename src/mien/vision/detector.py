"""BlazeFace: where the faces of a picture are.

V. Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.errors import InputError, nearest, require
from mien.vision.networks import Floats, Picture, load
from mien.vision.region import Region

RIGHT_EYE, LEFT_EYE, NOSE, MOUTH, RIGHT_EAR, LEFT_EAR = range(6)

# Each range: its network, and (cells across the picture, anchors in a cell) for each of its layers.
RANGES: dict[str, tuple[str, tuple[tuple[int, int], ...]]] = {
    "short": ("face_detection_short_range", ((16, 2), (8, 6))),
    "back": ("face_detection_back", ((16, 2), (8, 6))),
    "full": ("face_detection_full_range", ((48, 1),)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A face: `score` in [0, 1], `box` (x0, y0, x1, y1) and `keypoints` (6, 2) in pixels.

    The keypoints are the person's right eye, left eye, nose tip, mouth, right and left ear.
    """

    score: float
    box: Floats
    keypoints: Floats

    @property
    def area(self) -> float:
        """Pixels of the box."""
        return float((self.box[2] - self.box[0]) * (self.box[3] - self.box[1]))

    @property
    def region(self) -> Region:
        """The square that the landmark network wants, the eyes level in it."""
        return Region.around(self.box, self.keypoints[RIGHT_EYE], self.keypoints[LEFT_EYE])

    def moved(self, x: float, y: float) -> Detection:
        """Return the face of a part of a picture, in the whole picture: the part's corner is at `x`, `y`."""
        corner = np.array([x, y], np.float32)
        return Detection(self.score, self.box + np.tile(corner, 2), self.keypoints + corner)


def anchors(layers: tuple[tuple[int, int], ...]) -> Floats:
    """Return the anchors' centres `(n, 2)` in units of the picture, in the network's order."""
    parts = []
    for cells, repeat in layers:
        middle = (np.arange(cells, dtype=np.float32) + 0.5) / cells
        y, x = np.meshgrid(middle, middle, indexing="ij")
        parts.append(np.repeat(np.stack([x.ravel(), y.ravel()], 1), repeat, axis=0))
    return np.concatenate(parts)


def overlap(box: Floats, boxes: Floats) -> Floats:
    """Return intersection over union of `box` (4,) with `boxes` (n, 4)."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    union = np.prod(box[2:] - box[:2]) + areas - shared
    return np.asarray(shared / np.maximum(union, 1e-9), np.float32)


def merge(scores: Floats, rows: Floats, *, threshold: float = 0.3) -> list[tuple[float, Floats]]:
    """Non-maximum suppression that averages what overlaps, weighted by score, as BlazeFace does.

    `scores` (n,), `rows` (n, 16): box and keypoints. Returns the best score and the mean row of each face.
    """
    order = np.argsort(-scores)
    faces = []
    while len(order):
        near = overlap(rows[order[0], :4], rows[order, :4]) > threshold
        near[0] = True
        group = order[near]
        mean = np.average(rows[group], axis=0, weights=scores[group])
        faces.append((float(scores[order[0]]), mean.astype(np.float32)))
        order = order[~near]
    return faces


class FaceDetector:
    """Finds faces: `range` "short" (128², a face near the camera), "back" (256²) or "full" (192², up to 5 m).

    Raises `InputError` for another range; see `Network` for the rest.
    """

    def __init__(self, range: str = "short", *, min_score: float = 0.5) -> None:  # noqa: A002 (BlazeFace's word)
        if range not in RANGES:
            raise InputError(f"no face detector of range {range!r}{nearest(range, RANGES)}")
        name, layers = RANGES[range]
        self.network = load(name, low=-1.0, high=1.0)
        self._anchors = anchors(layers)
        self._min_score = min_score

    def __call__(self, picture: Picture) -> list[Detection]:
        """Return the faces of an RGB picture `(H, W, 3)` uint8, the largest first."""
        square, scale = self.fitted(picture)
        return self.found(self.network(square), scale)

    def found(self, outputs: list[Floats], scale: float) -> list[Detection]:
        """Return the faces that the network's outputs tell of; `scale`: pixels of the square's side."""
        raw, logits = outputs
        scores = np.asarray(1 / (1 + np.exp(-np.clip(logits[0, :, 0], -80, 80))), np.float32)
        keep = scores >= self._min_score
        rows = self._decode(raw[0][keep], self._anchors[keep], scale)
        found = [Detection(score, row[:4], row[4:].reshape(6, 2)) for score, row in merge(scores[keep], rows)]
        return sorted(found, key=lambda face: -face.area)

    def fitted(self, picture: Picture) -> tuple[Picture, float]:
        """Fit the picture into the network's square, black below or right of it; return pixels per square."""
        pillow = require("PIL.Image", extra="measure")
        size, (height, width) = self.network.size, picture.shape[:2]
        longest = max(height, width)
        fit = (max(1, round(width * size / longest)), max(1, round(height * size / longest)))
        small = pillow.fromarray(picture).resize(fit, pillow.Resampling.BILINEAR, reducing_gap=2.0)
        square = np.zeros((size, size, 3), np.uint8)
        square[: fit[1], : fit[0]] = np.asarray(small)
        return square, float(longest)

    def _decode(self, raw: Floats, anchor: Floats, scale: float) -> Floats:
        """Return box corners and keypoints `(n, 16)` in pixels."""
        unit = raw / self.network.size
        centre, half = unit[:, :2] + anchor, unit[:, 2:4] / 2
        points = unit[:, 4:].reshape(-1, 6, 2) + anchor[:, None]
        rows = np.concatenate([centre - half, centre + half, points.reshape(-1, 12)], axis=1)
        return np.asarray(rows * scale, np.float32)

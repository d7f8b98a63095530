"""Where the head is seen from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Avatar
from mien.errors import InputError

Vector = tuple[float, float, float]
_DISTANCE = 1.15  # metres: a portrait lens; nearer makes noses large
_FACE = 0.375  # metres of head and shoulders that the picture's height shows at the face
_WIDTH = 0.29  # metres that the picture's width shows at least: hair and a little air
_HEADROOM = 0.03  # of the picture's height, above the hair


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole: `eye` looks at `target` (metres, axes of `mien.face.pose`); `height` in metres is
    what the picture shows from top to bottom at the target's distance.
    """

    eye: Vector
    target: Vector
    height: float

    def __post_init__(self) -> None:
        if not self.height > 0 or self.eye == self.target:
            raise InputError(
                f"camera at {self.eye} looking at {self.target}, height {self.height}: sees nothing"
            )

    @classmethod
    def portrait(cls, avatar: Avatar, size: tuple[int, int], *, zoom: float = 1.0) -> Camera:
        """Frame head and shoulders for a picture of `size` (width, height) pixels of any shape.

        `zoom` above 1 comes closer, around the face. The frame never shows where the body ends.
        """
        if not 0.2 <= zoom <= 10:
            raise InputError(f"zoom {zoom} is outside 0.2 to 10")
        points = np.concatenate([part.positions for part in avatar.parts])
        top = float(points[:, 1].max())
        foot = max(float(points[:, 1].min()), top - 0.75)
        height = max(_FACE, _WIDTH * size[1] / size[0])
        wanted = top + _HEADROOM * height - height / 2
        middle = max(wanted, foot * 0.86 + height / 2)
        height, middle = height / zoom, middle + (-0.035 - middle) * (1 - 1 / zoom)
        return cls((0.0, middle * 0.5, _DISTANCE), (0.0, middle, 0.03), height)

    def pixel_m(self, size: tuple[int, int], point: NDArray[np.float32]) -> float:
        """Return how many metres a pixel of a picture of `size` shows at the distance of `point`."""
        eye, target = np.array(self.eye), np.array(self.target)
        return float(self.height / size[1] * np.linalg.norm(point - eye) / np.linalg.norm(target - eye))

    def matrix(self, size: tuple[int, int], samples: int = 2) -> NDArray[np.float32]:
        """Return (5, 3): rows right, up, forward; the eye; focal length and centre in samples."""
        eye, target = np.array(self.eye), np.array(self.target)
        distance = float(np.linalg.norm(target - eye))
        forward = (target - eye) / distance
        right = np.cross(forward, (0.0, 1.0, 0.0))
        right /= np.linalg.norm(right)
        width, height = size[0] * samples, size[1] * samples
        lens = (height * distance / self.height, width / 2, height / 2)
        return np.array([right, np.cross(right, forward), forward, eye, lens], np.float32)

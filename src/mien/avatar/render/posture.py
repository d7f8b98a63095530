"""What a pose says besides its morph targets, as all renderers read it."""

from __future__ import annotations

import numpy as np

from mien.avatar.model import Floats
from mien.face.pose import ARKIT_INDEX

_LID = 0.62  # height of the upper lid's shadow on the unit eyeball, eyes open
_SHADE = 1.4  # how far a whole blink takes it down: lashes shade what a lid still leaves free


def rotation(yaw: float, pitch: float, roll: float = 0.0) -> Floats:
    """Return (3, 3) `Ry(yaw) @ Rx(pitch) @ Rz(roll)`: the axes of `mien.face.pose`."""
    (cy, cx, cz), (sy, sx, sz) = np.cos((yaw, pitch, roll)), np.sin((yaw, pitch, roll))
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    turned: Floats = (about_y @ about_x @ about_z).astype(np.float32)
    return turned


def opening(weights: Floats) -> float:
    """Return how far baked light goes from a closed to a half open jaw, 0 to 1."""
    wide = weights[ARKIT_INDEX["jawOpen"]] * 1.6 + weights[ARKIT_INDEX["mouthFunnel"]] * 0.5
    wide += weights[ARKIT_INDEX["tongueOut"]] ** 2
    return float(np.clip(wide + weights[_PARTING].sum() * 0.1, 0.0, 1.0))


def lids(weights: Floats) -> Floats:
    """Return the height of the shadow of the left and the right upper lid on the unit eyeball."""
    height: Floats = _LID - _SHADE * weights[_BLINK] - 0.3 * weights[_DOWN] + 0.15 * weights[_WIDE]
    return height


def _both(name: str) -> list[int]:
    return [ARKIT_INDEX[f"{name}Left"], ARKIT_INDEX[f"{name}Right"]]


_BLINK, _DOWN, _WIDE = _both("eyeBlink"), _both("eyeLookDown"), _both("eyeWide")
_PARTING = _both("mouthLowerDown") + _both("mouthUpperUp")

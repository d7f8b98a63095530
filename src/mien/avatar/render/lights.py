"""The studio: a warm key from the upper left, a cool fill, two rims behind, sky and ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_TOWARDS = ((-0.55, 0.62, 0.72), (0.85, 0.12, 0.55), (-0.85, 0.35, -0.55), (0.8, 0.45, -0.6))
_COLORS = ((1.34, 1.24, 1.14), (0.30, 0.335, 0.385), (0.95, 1.06, 1.18), (1.02, 0.94, 0.85))
_SKY, _GROUND = (0.29, 0.31, 0.345), (0.17, 0.135, 0.12)


def studio() -> NDArray[np.float32]:
    """Return the rig (10, 3): directions to key, fill and two rims, their colours, sky, ground."""
    towards = np.array(_TOWARDS)
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    return np.concatenate([towards, _COLORS, [_SKY, _GROUND]]).astype(np.float32)

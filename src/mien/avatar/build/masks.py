"""Grey pictures over the base mesh's uv space, which tell lips, lids and ears from the rest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Doubles = NDArray[np.float64]


def read_mask(path: Path, uvs: Doubles) -> Doubles:
    """Return a grey picture's brightness [0, 1] at uvs (N, 2), bilinear."""
    with Image.open(path) as picture:
        grey = np.asarray(picture.convert("L"), np.float64) / 255
    height, width = grey.shape
    x = np.clip(uvs[:, 0] * width - 0.5, 0, width - 1.001)
    y = np.clip((1 - uvs[:, 1]) * height - 0.5, 0, height - 1.001)
    i, j = y.astype(int), x.astype(int)
    down, right = y - i, x - j
    above = grey[i, j] * (1 - right) + grey[i, j + 1] * right
    below = grey[i + 1, j] * (1 - right) + grey[i + 1, j + 1] * right
    return np.asarray(above * (1 - down) + below * down)

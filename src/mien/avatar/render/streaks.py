"""The texture of a lock of hair: fine strands side by side, changing slowly along their length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Part

VARIANTS = 4
WIDTH, LENGTH = 64, 64  # texels of one variant, across and along
_OCTAVES = ((7, 0.30), (19, 0.40), (41, 0.30))  # strands across the lock, weight
_KNOTS = 5  # changes along the lock


def _resample(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Interpolate rows of `values` linearly to `count` rows."""
    at = np.linspace(0, len(values) - 1, count)
    low = np.minimum(at.astype(int), len(values) - 2)
    part = (at - low)[:, None]
    mixed: NDArray[np.float64] = values[low] * (1 - part) + values[low + 1] * part
    return mixed


def _lock(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return (LENGTH, WIDTH) in [0, 1], mean one half."""
    out = np.zeros((LENGTH, WIDTH))
    for strands, weight in _OCTAVES:
        knots = rng.random((_KNOTS, strands + 1))
        out += weight * _resample(_resample(knots, LENGTH).T, WIDTH).T
    clipped: NDArray[np.float64] = np.clip(0.5 + (out - out.mean()) * 1.5, 0.0, 1.0)
    return clipped


def texture(seed: int = 1) -> NDArray[np.float32]:
    """Return (LENGTH, VARIANTS * WIDTH): the brightness of the strands of four locks side by side."""
    rng = np.random.default_rng(seed)
    return np.concatenate([_lock(rng) for _ in range(VARIANTS)], axis=1).astype(np.float32)


def places(part: Part) -> Floats:
    """Return where in `texture` hair lies (V, 2), 0 to 1: in a lock chosen by the strand's seed."""
    lock = _hash(part.extra[:, 3]) * VARIANTS // 1
    across = (lock + np.clip(part.uvs[:, 0], 0.03, 0.97)) / VARIANTS
    return np.stack([across, part.uvs[:, 1]], axis=1).astype(np.float32)


def _hash(seed: Floats) -> Floats:
    """Return a number in [0, 1) for each seed."""
    return (np.sin(np.abs(seed) * 91.7) * 43758.5453 % 1).astype(np.float32)

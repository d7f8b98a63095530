"""An office far out of focus, made by rule: windows, lamps, a plant, wood, and discs of light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.render import tone

Light = NDArray[np.float64]
_WALL, _FLOOR = (0.20, 0.21, 0.22), (0.10, 0.075, 0.055)
# Left, right (heights of the picture from its middle), bottom, top (0 to 1), linear colour.
_BOXES = (
    (-1.30, -0.52, 0.38, 1.10, (0.60, 0.69, 0.78)),  # windows with the day behind them
    (-0.98, -0.94, 0.30, 1.10, (0.10, 0.11, 0.13)),
    (-0.52, -0.46, 0.00, 1.10, (0.13, 0.13, 0.135)),
    (0.40, 1.30, 0.00, 0.90, (0.27, 0.19, 0.125)),  # a shelf of wood
    (0.46, 1.24, 0.62, 0.655, (0.08, 0.055, 0.035)),
    (0.46, 1.24, 0.34, 0.375, (0.08, 0.055, 0.035)),
    (0.52, 0.60, 0.655, 0.82, (0.30, 0.10, 0.07)),  # books
    (0.61, 0.66, 0.655, 0.79, (0.10, 0.16, 0.24)),
    (0.67, 0.75, 0.655, 0.84, (0.42, 0.38, 0.30)),
    (0.82, 0.95, 0.375, 0.52, (0.09, 0.15, 0.12)),
    (-0.40, 0.36, 0.00, 0.22, (0.16, 0.125, 0.10)),  # a desk
    (0.02, 0.30, 0.22, 0.40, (0.05, 0.06, 0.075)),  # a screen
)
_LAMPS = (
    (-0.28, 0.90, 0.050),
    (0.05, 0.94, 0.042),
    (0.33, 0.91, 0.047),
    (0.60, 0.95, 0.040),
    (0.98, 0.55, 0.03),
)
_LEAVES = 26
_BLUR = 0.035  # radius of the lens' disc, of the picture's height
_LIMIT = 360  # rows at which the blurred picture is made; there is nothing finer in it


def office(size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return (H, W, 3)."""
    width, height = size
    rows = min(height, _LIMIT)
    columns = max(2, round(width * rows / height))
    light = _blurred(_room(columns, rows), max(1, round(_BLUR * rows)))
    shown = tone.encode(tone.film(_stretched(light, size))) * 255
    grain = np.random.default_rng(0).triangular(-1.0, 0.0, 1.0, (height, width, 1))
    picture: NDArray[np.uint8] = np.clip(shown + grain + 0.5, 0, 255).astype(np.uint8)
    return picture


def _room(width: int, height: int) -> Light:
    """Return what stands there, in focus, as linear light."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    x, y = (x - width / 2) / height, 1 - y / height
    room: Light = np.where((y < 0.16)[..., None], _FLOOR, _WALL) * (0.55 + 0.6 * y)[..., None]
    for left, right, bottom, top, color in _BOXES:
        room[(x >= left) & (x < right) & (y >= bottom) & (y < top)] = color
    random = np.random.default_rng(7)
    for _ in range(_LEAVES):
        at, up, long = random.normal(-0.60, 0.07), random.normal(0.30, 0.09), random.uniform(0.02, 0.05)
        leaf = ((x - at) / long) ** 2 + ((y - up) / (long * 0.45)) ** 2 < 1
        room[leaf] = np.array((0.05, 0.13, 0.045)) * random.uniform(0.5, 1.5)
    for at, up, radius in _LAMPS:
        room[(x - at) ** 2 + (y - up) ** 2 < radius**2 / 9] = (26.0, 19.0, 12.0)
    return room


def _blurred(light: Light, radius: int) -> Light:
    """Return the mean over a disc around each pixel: what a wide open lens does."""
    padded = np.pad(light, ((radius, radius), (radius, radius), (0, 0)), "edge")
    sums = np.concatenate([np.zeros((len(padded), 1, 3)), np.cumsum(padded, axis=1)], axis=1)
    total: Light = np.zeros_like(light)
    count = 0
    width = light.shape[1]
    for row in range(-radius, radius + 1):
        half = int(np.sqrt(radius * radius - row * row))
        lines = sums[radius + row : radius + row + len(light)]
        first, last = radius - half, radius + half + 1
        total += lines[:, last : last + width] - lines[:, first : first + width]
        count += 2 * half + 1
    total /= count
    blurred: Light = total
    return blurred


def _stretched(light: Light, size: tuple[int, int]) -> Light:
    """Return `light` at another size, linear between its pixels."""
    for axis, count in ((1, size[0]), (0, size[1])):
        at = np.clip((np.arange(count) + 0.5) * light.shape[axis] / count - 0.5, 0, light.shape[axis] - 1.001)
        low = at.astype(int)
        part = np.expand_dims(at - low, tuple(range(1, light.ndim - axis)))
        lower = np.take(light, low, axis=axis)
        light = lower + (np.take(light, low + 1, axis=axis) - lower) * part
    return light

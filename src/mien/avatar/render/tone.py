"""From linear light to what a screen shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

STEPS = 724  # table entries for each unit of the square root of linear light
EXPOSURE = 0.80
_TOP = 8.0  # linear light above which everything is white
ENTRIES = int(STEPS * _TOP**0.5)  # of the table


def decode(srgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return linear light in [0, 1] of sRGB bytes (IEC 61966-2-1)."""
    x = np.arange(256) / 255.0
    table = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    return table.astype(np.float32)[srgb]


def encode(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sRGB values in [0, 1] of linear light."""
    x = np.clip(linear, 0.0, 1.0)
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055)


def film(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return light on film: soft shoulder and toe (Narkowicz's fit of the ACES curve, 2015)."""
    x = linear * EXPOSURE
    return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)


def table() -> NDArray[np.float32]:
    """Return the sRGB value, 0 to 255, for linear light `((i + 0.5) / STEPS) ** 2`."""
    root = (np.arange(ENTRIES) + 0.5) / STEPS
    return (encode(film(root**2)) * 255.0).astype(np.float32)

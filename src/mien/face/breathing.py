"""Breathing: the little the head shows of it."""

from __future__ import annotations

import numpy as np

from mien.face.curves import Times, noise, smoothstep

PERIOD_S = 4.3
"""About 14 breaths a minute."""
INHALE = 0.4
"""Part of the period in which the chest rises."""
PITCH = 0.007
"""How far the head tips back at the top of a breath, radians."""


def breath(times: Times, seed: int) -> Times:
    """Return the head's pitch (T,) in radians: it rises with the chest and sinks slower."""
    phase = times / PERIOD_S + 0.12 * noise(times, 6.1, seed + 71)
    phase -= np.floor(phase)
    rise, fall = smoothstep(phase / INHALE), smoothstep((phase - INHALE) / (1.0 - INHALE))
    return -PITCH * (rise - fall)

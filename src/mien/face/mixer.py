"""The one place where the layers of the face meet: speech, feeling, emphasis, blinks and gaze."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.face.curves import Times, noise, uniform_at
from mien.face.pose import ARKIT_INDEX, ARKIT_NAMES, weights
from mien.face.visemes import Floats, articulator_of_units

SPEECH_SHARE = 0.55
"""Part of an emotion's mouth that stays while the mouth speaks."""
ROUNDING_YIELD = 0.8
"""How much a smile gives way to fully rounded lips."""
_MICRO = 0.035
_ASYMMETRY = 0.05


def _units(*names: str) -> NDArray[np.intp]:
    return np.flatnonzero(weights(dict.fromkeys(names, 1.0)))


_MOUTH = np.flatnonzero(articulator_of_units() >= 0)
_SPREAD = _units("mouthSmile", "mouthStretch", "mouthDimple", "mouthFrown")
_PARTING = _units("jawOpen", "mouthFunnel", "mouthLowerDown", "mouthUpperUp", "mouthShrugUpper")
_BROW_UP = _units("browInnerUp", "browOuterUp")
_BROW_DOWN = _units("browDown")
_BLINK, _WIDE, _SQUINT = _units("eyeBlink"), _units("eyeWide"), _units("eyeSquint")
_LOOK_DOWN = _units("eyeLookDown")
_FUNNEL, _PUCKER = ARKIT_INDEX["mouthFunnel"], ARKIT_INDEX["mouthPucker"]
_EXPRESSIVE_LEFT = np.array(
    [i for i, n in enumerate(ARKIT_NAMES) if n.startswith(("mouth", "brow")) and n.endswith("Left")]
)


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """What the mixer resolves, for T frames: `speech` and `feeling` are weights (T, 52); `activity`, `brow`
    and `blink` are (T,); `lids` gives the eyeLook units by index.
    """

    speech: Floats
    activity: Times
    feeling: Floats
    brow: Times
    blink: Times
    lids: Mapping[int, Times]


def mix(times: Times, layers: Layers, seed: int) -> Floats:
    """Return the face (T, 52) before the contacts of the lips: in pauses only closed shapes remain."""
    face = layers.feeling.copy()
    face[:, _MOUTH] = _mouth(layers)[:, _MOUTH]
    _brows(face, times, layers.brow, seed)
    _eyes(face, layers)
    skew = 1.0 - _ASYMMETRY * float(uniform_at(seed, np.array([17]))[0])
    face[:, _EXPRESSIVE_LEFT] *= skew
    return np.minimum(np.maximum(face, 0.0), 1.0)


def _mouth(layers: Layers) -> Floats:
    active = layers.activity[:, None]
    speech = layers.speech * active
    feeling = layers.feeling * (1.0 - (1.0 - SPEECH_SHARE) * active)
    rounded = np.minimum(speech[:, _FUNNEL] + speech[:, _PUCKER], 1.0)
    feeling[:, _SPREAD] *= (1.0 - ROUNDING_YIELD * rounded)[:, None]
    feeling[:, _PARTING] *= active
    return speech + feeling


def _brows(face: Floats, times: Times, brow: Times, seed: int) -> None:
    stir = _MICRO * (1.0 + noise(times, 2.3, seed + 31)) / 2.0
    face[:, _BROW_UP] += (brow + stir)[:, None]
    face[:, _BROW_DOWN] *= (1.0 - 0.6 * brow)[:, None]


def _eyes(face: Floats, layers: Layers) -> None:
    for unit, weight in layers.lids.items():
        face[:, unit] += weight
    shut, open_ = layers.blink[:, None], (1.0 - layers.blink)[:, None]
    face[:, _BLINK] = np.maximum(face[:, _BLINK], shut)
    face[:, _WIDE] *= open_
    face[:, _LOOK_DOWN] *= open_
    face[:, _SQUINT] *= 1.0 - 0.5 * shut

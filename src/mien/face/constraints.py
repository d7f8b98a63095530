"""Contacts that win over all smoothing: lips press, lip touches teeth, teeth close.

The lip seal travels through the mixer and the guard as a fraction in the slot of `mouthClose`;
`settle` turns it into the weight at the end, so that `mouthClose` matches `jawOpen` exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mien.face.curves import Times, window
from mien.face.pose import ARKIT_INDEX, weights
from mien.face.segments import Segment
from mien.face.visemes import Floats

APPROACH_S, RELEASE_S = 0.046, 0.050
"""A contact is made in the 46 ms before its hold and opened in the 50 ms after it."""
CROSS_S = 0.034
"""The same where one lip contact follows another."""
MIN_HOLD_S = 0.050
"""Shorter holds could fall between two frames of a 25 fps film."""
EARLY_S = 0.012
"""The lips begin to part this much before the phoneme ends."""
REACH_S = APPROACH_S + MIN_HOLD_S

_LIP_HOLDS = ("bilabial", "labiodental")
_CLOSE = ARKIT_INDEX["mouthClose"]
_JAW = ARKIT_INDEX["jawOpen"]
_JAW_CAP = {"sibilant": 0.06, "labiodental": 0.1, "dental": 0.16}
_OPENERS = np.flatnonzero(
    weights({"mouthFunnel": 1, "mouthLowerDown": 1, "mouthUpperUp": 1, "mouthShrugUpper": 1, "tongueOut": 1})
)
_PRESS = weights({"mouthPress": 0.22, "mouthRollLower": 0.1, "mouthRollUpper": 0.07}).astype(np.float64)
_BITE = weights({"mouthRollLower": 0.66, "mouthUpperUp": 0.26, "mouthShrugLower": 0.1}).astype(np.float64)
_BITE_UNITS = np.flatnonzero(
    weights(
        {"mouthRollLower": 1, "mouthUpperUp": 1, "mouthShrugLower": 1, "mouthLowerDown": 1, "mouthFunnel": 1}
    )
)
_TONGUE_OUT = 0.46


def holds(segments: Sequence[Segment], times: Times) -> dict[str, Times]:
    """Return for each kind of hold how much it is in force `(T,)`, 0 to 1."""
    out: dict[str, Times] = {}
    for i, segment in enumerate(segments):
        kind = segment.viseme.hold
        if not kind or segment.end + RELEASE_S + MIN_HOLD_S < times[0] or segment.start - REACH_S > times[-1]:
            continue
        before = segments[i - 1] if i else None
        after = segments[i + 1] if i + 1 < len(segments) else None
        force = _force(segment, before, after, times)
        out[kind] = np.maximum(out[kind], force) if kind in out else force
    return out


def _force(segment: Segment, before: Segment | None, after: Segment | None, times: Times) -> Times:
    middle = (segment.start + segment.end) / 2.0
    hold = min(segment.start, middle - MIN_HOLD_S / 2.0)
    release = max(segment.end - EARLY_S, middle + MIN_HOLD_S / 2.0)
    approach, opening = hold - APPROACH_S, release + RELEASE_S
    if _crosses(before, segment):
        approach, hold = segment.start - CROSS_S / 2, segment.start + CROSS_S / 2
        release = max(release, hold)
        opening = release + RELEASE_S
    if _crosses(segment, after):
        release, opening = segment.end - CROSS_S / 2, segment.end + CROSS_S / 2
        hold = min(hold, release)
    return window(times, approach, hold, release, opening)


def _crosses(first: Segment | None, second: Segment | None) -> bool:
    """True when one lip contact gives way to another kind without anything between."""
    if first is None or second is None or second.start - first.end > 0.02:
        return False
    kinds = (first.viseme.hold, second.viseme.hold)
    return kinds[0] != kinds[1] and kinds[0] in _LIP_HOLDS and kinds[1] in _LIP_HOLDS


def apply(face: Floats, force: dict[str, Times], energy: float) -> None:
    """Bring the mouth of `face` (T, 52) into the contacts in force, in place."""
    for kind, cap in _JAW_CAP.items():
        if kind in force:
            excess = np.maximum(face[:, _JAW] - cap, 0.0)
            face[:, _JAW] -= excess * force[kind]
    if "dental" in force:
        face[:, ARKIT_INDEX["tongueOut"]] = _TONGUE_OUT * force["dental"]
    if "labiodental" in force:
        on = force["labiodental"][:, None]
        face[:, _BITE_UNITS] += (_BITE[_BITE_UNITS] - face[:, _BITE_UNITS]) * on
    if "bilabial" in force:
        on = force["bilabial"][:, None]
        face[:, _OPENERS] *= 1.0 - on
        face[:] = np.maximum(face, _PRESS * (0.7 + 0.6 * energy) * on)
        face[:, _CLOSE] = on[:, 0]


def settle(face: Floats) -> None:
    """Turn the lip seal into `mouthClose`: the part of `jawOpen` that the lips close, in place."""
    face[:, _CLOSE] *= face[:, _JAW]

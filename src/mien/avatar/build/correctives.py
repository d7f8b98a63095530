"""What pairs of face units must not do together, as correctives of the base mesh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles, joint
from mien.avatar.build.landmarks import MOUTH_CORNER, PHILTRUM
from mien.avatar.correctives import TIMES

# dm from an eye's centre and from the mouth's corners and middle: within, a rule holds; beyond, it does not.
LIDS, MOUTH = (0.21, 0.32), (0.13, 0.36)
LEAST = 0.006  # dm: what would be mended by less is left as it is, so that files stay small


@dataclass(frozen=True, slots=True)
class Rule:
    """Where `first` and `second` are both 1, `second` counts `share` less (more, if negative), about the
    mouth or the `lids`. `?` in a name stands for each side in turn.
    """

    first: str
    second: str
    share: float
    lids: bool = False


# A closed lid is closed: what else moves it makes no difference then.
BLINKS = tuple(
    Rule("eyeBlink?", f"{other}?", 1.0, lids=True)
    for other in ("eyeSquint", "eyeWide", "eyeLookDown", "eyeLookUp", "cheekSquint", "mouthSmile")
)
# Round lips do not let their corners be drawn away, nor draw them in twice; an open jaw stretches lips flat.
ROUNDS = (
    Rule("mouthPucker", "mouthSmile?", 0.75),
    Rule("mouthPucker", "mouthStretch?", 0.65),
    Rule("mouthFunnel", "mouthSmile?", 0.45),
    Rule("mouthFunnel", "mouthPucker", 0.4),
    Rule("jawOpen", "mouthFunnel", 0.35),
    Rule("jawOpen", "mouthPress?", 0.7),
)
SPREADS = (Rule("mouthSmile?", "mouthStretch?", 0.4),)
# The lower lip rolls in to meet the upper teeth (f, v): the upper lip leaves them free.
BITES = (Rule("mouthRollLower", "mouthUpperUp?", -2.4),)
RULES = (*BLINKS, *ROUNDS, *SPREADS, *BITES)
TONGUE = f"tongueOut{TIMES}tongueOut"
TONGUE_JAW = 0.5  # of `jawOpen`: how far a tongue that is all out parts the lips


def correctives(units: Mapping[str, Doubles], vertices: Doubles) -> dict[str, Doubles]:
    """Return the correctives of the face units by name; `vertices` (19158, 3): the shaped base mesh."""
    mouth = _near(vertices, vertices[[*MOUTH_CORNER, PHILTRUM[0]]], MOUTH)
    lids = {
        side: _near(vertices, joint(vertices, eye)[None], LIDS)
        for side, eye in (("Left", "left_eye"), ("Right", "right_eye"))
    }
    made: dict[str, Doubles] = {TONGUE: TONGUE_JAW * units["jawOpen"] * mouth}
    for rule, side in product(RULES, lids):
        first, second = (name.replace("?", side) for name in (rule.first, rule.second))
        made[f"{first}{TIMES}{second}"] = -rule.share * units[second] * (lids[side] if rule.lids else mouth)
    return {name: delta * (np.abs(delta).max(axis=1, keepdims=True) > LEAST) for name, delta in made.items()}


def _near(vertices: Doubles, places: Doubles, reach: tuple[float, float]) -> Doubles:
    """Return 1 at the places, 0 far from all of them (V, 1)."""
    away = np.linalg.norm(vertices[:, None] - places, axis=2).min(axis=1)
    return np.asarray(1 - smoothstep(*reach, away))[:, None]

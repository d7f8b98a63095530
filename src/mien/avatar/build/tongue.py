"""The tongue: the base mesh's own, domed, lowered and grooved."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.correctives import TONGUE
from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.geometry import compact, smoothstep, subdivide, triangulate
from mien.avatar.build.human import Doubles, Human
from mien.avatar.build.noise import value_noise

TONGUE_COLOR = (0.50, 0.155, 0.15)
DOME, GROOVE = 0.075, 0.006  # dm: how far its sides hang, how deep its middle line is
# dm: the tip stands between the teeth at 0.45 and hangs over the lower lip at 1: a part of its way grows with
# the weight, another with its square. Far out it is flat, narrower, bends down, and its tip is round.
TONGUE_OUT, TONGUE_FAR = np.array([0.0, 0.58, 0.64]), np.array([0.0, -0.33, -0.12])
NARROWER, POINTED, ROUNDER, FLATTER, BEND = 0.15, 0.22, 0.30, 0.50, 0.15
NOTCH = 0.035  # dm: how far the middle of the tip stands back at rest


def make_tongue(human: Human, cast: Cast) -> Draft:
    """Return the tongue, flattened and lowered so that it does not fill the open mouth."""
    used, cage = compact(human.faces["helper-tongue"][:, :, 0])
    matrix, quads = subdivide(cage, len(used))
    shape = matrix @ cast.vertices[used]
    tip = np.clip((shape[:, 2] - shape[:, 2].max() + 0.7) / 0.7, 0, 1)
    shape[:, 1] -= 0.125 * tip + 0.03
    shape[:, 1] += 0.2 * (shape[:, 1].mean() - shape[:, 1])
    shape[:, 2] -= 0.10
    shape[:, 0] *= 0.86
    across = np.abs(shape[:, 0]) / np.abs(shape[:, 0]).max()
    shape[:, 1] -= DOME * across**2 + GROOVE * np.exp(-((across / 0.22) ** 2))
    morphs = {name: matrix @ delta[used] for name, delta in cast.face_units.items()}
    along = (shape[:, 2] - shape[:, 2].min()) / np.ptp(shape[:, 2])
    reach = smoothstep(0.1, 1, along)[:, None]
    morphs["tongueOut"] = TONGUE_OUT * reach
    morphs[TONGUE] += TONGUE_FAR * reach + _far_out(shape, along, across) * reach
    color = np.array(TONGUE_COLOR) * (0.80 + 0.28 * smoothstep(0.95, 0.2, across))[:, None]
    color *= 1 - 0.10 * np.exp(-((across / 0.12) ** 2))[:, None]
    color *= 0.9 + 0.2 * value_noise(shape * 55)[:, None]
    tongue = draft("tongue", "tongue", shape, triangulate(quads), color=color, morphs=morphs)
    tongue.find_normals()
    return tongue


def _far_out(shape: Doubles, along: Doubles, across: Doubles) -> Doubles:
    """Return how the form (V, 3) of a tongue that is all out differs: `along` 0 at its root, 1 at its tip;
    `across` 0 in the middle, 1 at its sides.
    """
    thickness = shape[:, 1] - np.polynomial.Polynomial.fit(along, shape[:, 1], 3)(along)
    tip = smoothstep(0.55, 1.0, along)
    middle = NOTCH * np.exp(-((across / 0.35) ** 2))
    down = FLATTER * thickness + (BEND + middle - (1 - FLATTER) * DOME * across**2) * tip
    return np.stack([-(NARROWER + POINTED * tip) * shape[:, 0], -down, -ROUNDER * across**2], 1)

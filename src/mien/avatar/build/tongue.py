"""The tongue: the base mesh's own, domed, lowered and grooved."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.correctives import TONGUE
from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.geometry import compact, smoothstep, subdivide, triangulate
from mien.avatar.build.human import Human
from mien.avatar.build.noise import value_noise

TONGUE_COLOR = (0.50, 0.155, 0.15)
DOME, GROOVE = 0.075, 0.006  # dm: how far its sides hang, how deep its middle line is
# dm: the tip stands between the teeth at 0.45 and lies on the lower lip at 1: a part of its way grows with
# the weight, another with its square. Far out it is narrower and its tip is round.
TONGUE_OUT, TONGUE_FAR = np.array([0.0, 0.50, 0.50]), np.array([0.0, -0.31, 0.30])
NARROWER, ROUNDER = 0.30, 0.30


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
    tip = np.stack([-NARROWER * shape[:, 0], np.zeros(len(shape)), -ROUNDER * across**2], 1)
    morphs[TONGUE] += (TONGUE_FAR + tip) * reach
    color = np.array(TONGUE_COLOR) * (0.80 + 0.28 * smoothstep(0.95, 0.2, across))[:, None]
    color *= 1 - 0.10 * np.exp(-((across / 0.12) ** 2))[:, None]
    color *= 0.9 + 0.2 * value_noise(shape * 55)[:, None]
    tongue = draft("tongue", "tongue", shape, triangulate(quads), color=color, morphs=morphs)
    tongue.find_normals()
    return tongue

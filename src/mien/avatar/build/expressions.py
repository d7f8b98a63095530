"""What the face units need to act well: a stronger pucker, a smile that is softer and reaches the eyes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles, Indices
from mien.avatar.build.landmarks import MOUTH_CORNER

# A face unit at weight one, as a mix of the pack's units. Its pucker is weak, its funnel leaves the corners
# of the mouth where they are, its lower lip swallows thin upper ones where a chin lifts both, and its smile
# lifts the corners alone, where a person's raises the cheeks and narrows the eyes a little.
PUCKER: Mapping[str, float] = {"mouthPucker": 1.28, "mouthFunnel": 0.32}
FUNNEL: Mapping[str, float] = {"mouthFunnel": 0.92, "mouthPucker": 0.5}
SHRUG: Mapping[str, float] = {"mouthShrugLower": 0.78, "mouthShrugUpper": 0.22}
SMILE: Mapping[str, float] = {
    "mouthSmile": 0.72,
    "mouthStretch": 0.10,
    "cheekSquint": 0.75,
    "eyeSquint": 0.28,
}
# Where the pack's units do too little, or tear the lips apart.
GAINS: Mapping[str, float] = {
    "browInnerUp": 1.35,
    "noseSneerLeft": 1.5,
    "noseSneerRight": 1.5,
    "cheekPuff": 1.1,
    "mouthShrugUpper": 0.7,
}
SOFTENED = ("mouthSmile", "mouthDimple", "mouthStretch", "mouthFrown", "mouthPress", "mouth", "cheekSquint")
SOFTENING = 10  # passes of averaging over the cheeks
# dm from the lips: within, lips keep their shape; beyond, all is softened. What rounds the lips is softened
# from their edge on, and lifts the upper one less: it would fold below the nose.
LIPS_KEPT, ROUND_KEPT = (0.06, 0.28), (-0.06, 0.07)
ROUNDED = ("mouthPucker", "mouthFunnel")
LIFT_KEPT = 0.45


def correct(
    units: Mapping[str, Doubles], quads: Indices, lips: Doubles, vertices: Doubles
) -> dict[str, Doubles]:
    """Return the face units by ARKit name, corrected.

    `quads` (F, 4): the body; `lips` (19158,): 1 on the lips; `vertices` (19158, 3): the shaped base mesh.
    """
    soft = dict(units)
    mean, away, eyes = _softener(quads[:, :, 0], lips, vertices)
    for name in (f"{unit}{side}" for unit in SOFTENED for side in ("Left", "Right")):
        soft[name] = _soften(units[name], mean, (smoothstep(*LIPS_KEPT, away) * eyes)[:, None])
    above = smoothstep(0.0, 0.05, vertices[:, 1] - vertices[list(MOUTH_CORNER), 1].mean())
    for name in ROUNDED:
        calm = units[name].copy()
        calm[:, 1] *= np.where(calm[:, 1] > 0, 1 - (1 - LIFT_KEPT) * above, 1.0)
        soft[name] = _soften(calm, mean, (smoothstep(*ROUND_KEPT, away) * eyes)[:, None])
    mixed = {name: delta.copy() for name, delta in soft.items()}
    for name, parts in (("mouthPucker", PUCKER), ("mouthFunnel", FUNNEL), ("mouthShrugLower", SHRUG)):
        mixed[name] = _mix(soft, parts, "")
    for name, gain in GAINS.items():
        mixed[name] *= gain
    for side in ("Left", "Right"):
        mixed[f"mouthSmile{side}"] = _mix(soft, SMILE, side)
    return mixed


def _mix(units: Mapping[str, Doubles], parts: Mapping[str, float], side: str) -> Doubles:
    return np.asarray(sum(weight * units[f"{name}{side}"] for name, weight in parts.items()))


def _softener(quads: Indices, lips: Doubles, vertices: Doubles) -> tuple[sp.csr_matrix, Doubles, Doubles]:
    """Return the neighbour mean as a matrix, each vertex's way to the lips, and 0 about the eyes (V,)."""
    count = len(vertices)
    ends = np.stack([quads, np.roll(quads, -1, 1)], -1).reshape(-1, 2)
    both = np.concatenate([ends, ends[:, ::-1]])
    beside = sp.csr_matrix((np.ones(len(both)), both.T), (count, count))
    beside.data[:] = 1
    mean = sp.diags(1 / np.maximum(np.asarray(beside.sum(1)).ravel(), 1)) @ beside
    mouth = vertices[(lips > 0.5) & (vertices[:, 2] > 0.5)]
    nearest, _ = cKDTree(mouth).query(vertices)
    eyes = smoothstep(0.15, 0.30, np.abs(vertices[:, 1]))  # lids keep their shape too
    return mean, nearest, eyes


def _soften(delta: Doubles, mean: sp.csr_matrix, share: Doubles) -> Doubles:
    for _ in range(SOFTENING):
        delta = delta + share * 0.5 * (mean @ delta - delta)
    return delta

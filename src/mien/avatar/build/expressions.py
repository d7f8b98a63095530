"""What the face units need to act well: a stronger pucker, a smile that is softer and reaches the eyes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles, Indices

# A face unit at weight one, as a mix of the pack's units. Its pucker is weak, and its smile lifts the
# corners of the mouth alone, where a person's raises the cheeks and narrows the eyes a little.
PUCKER: Mapping[str, float] = {"mouthPucker": 1.35, "mouthFunnel": 0.22}
SMILE: Mapping[str, float] = {
    "mouthSmile": 0.72,
    "mouthStretch": 0.10,
    "cheekSquint": 0.55,
    "eyeSquint": 0.22,
}
SOFTENED = ("mouthSmile", "mouthDimple", "cheekSquint")
SOFTENING = 10  # passes of averaging over the cheeks
LIPS_KEPT = (
    0.06,
    0.28,
)  # dm from the mouth's corners: within, lips keep their shape; beyond, all is softened


def correct(
    units: Mapping[str, Doubles], quads: Indices, lips: Doubles, vertices: Doubles
) -> dict[str, Doubles]:
    """Return the face units by ARKit name, corrected.

    `quads` (F, 4): the body; `lips` (19158,): 1 on the lips; `vertices` (19158, 3): the shaped base mesh.
    """
    soft = dict(units)
    mean, share = _softener(quads[:, :, 0], lips, vertices)
    for name in (f"{unit}{side}" for unit in SOFTENED for side in ("Left", "Right")):
        soft[name] = _soften(units[name], mean, share)
    mixed = {name: delta.copy() for name, delta in soft.items()}
    mixed["mouthPucker"] = _mix(soft, PUCKER, "")
    for side in ("Left", "Right"):
        mixed[f"mouthSmile{side}"] = _mix(soft, SMILE, side)
    return mixed


def _mix(units: Mapping[str, Doubles], parts: Mapping[str, float], side: str) -> Doubles:
    return np.asarray(sum(weight * units[f"{name}{side}"] for name, weight in parts.items()))


def _softener(quads: Indices, lips: Doubles, vertices: Doubles) -> tuple[sp.csr_matrix, Doubles]:
    """Return the neighbour mean as a matrix, and how much of it each vertex takes (V, 1)."""
    count = len(vertices)
    ends = np.stack([quads, np.roll(quads, -1, 1)], -1).reshape(-1, 2)
    both = np.concatenate([ends, ends[:, ::-1]])
    beside = sp.csr_matrix((np.ones(len(both)), both.T), (count, count))
    beside.data[:] = 1
    mean = sp.diags(1 / np.maximum(np.asarray(beside.sum(1)).ravel(), 1)) @ beside
    mouth = vertices[(lips > 0.5) & (vertices[:, 2] > 0.5)]
    nearest, _ = cKDTree(mouth).query(vertices)
    eyes = smoothstep(0.15, 0.30, np.abs(vertices[:, 1]))  # lids keep their shape too
    return mean, (smoothstep(*LIPS_KEPT, nearest) * eyes)[:, None]


def _soften(delta: Doubles, mean: sp.csr_matrix, share: Doubles) -> Doubles:
    for _ in range(SOFTENING):
        delta = delta + share * 0.5 * (mean @ delta - delta)
    return delta

"""A foreign head put where mien's heads are: metres, eyes at the origin, looking along Z."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.avatar.foreign.meshes import Mesh
from mien.avatar.foreign.nodes import Nodes
from mien.avatar.foreign.retarget import Targets
from mien.errors import InputError

Doubles = NDArray[np.float64]

EYE_DISTANCE = 0.063  # metres between the pupils of an adult
SMALLEST, LARGEST = 1e-6, 1e5  # of the same, in whatever unit
PLAUSIBLE = (0.045, 0.085)  # of the same: such a head is in metres already
WIDEST, TALLEST = 0.27, 0.20  # metres of a head with its hair, and of what is above its eyes
LOWEST = -0.62  # metres below the eyes: nothing under that is ever seen
PIVOT = np.array([0.0, -0.075, -0.075])  # from the eyes to where a head turns
NECK = (-0.24, -0.12)  # height over which a head without bones begins to turn
EYE_NAMES = {"leftEye": ("eye", "l"), "rightEye": ("eye", "r")}


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """`eyes` (2, 3) left and right and `pivot` (3,), fitted; `radius` of an eyeball; `found`: by what the
    eyes were found; `head_weights` (V,) of each mesh; `eye_weights`: of left and right.
    """

    eyes: Doubles
    pivot: Doubles
    radius: float
    found: str
    head_weights: tuple[Doubles, ...]
    eye_weights: tuple[tuple[Doubles, Doubles], ...]


def fit(meshes: Sequence[Mesh], nodes: Nodes, targets: Targets, name: str) -> Fit:
    """Move, turn and scale all meshes in place; raises `InputError` when no face can be made out."""
    eyes, found = find_eyes(meshes, nodes, targets, name)
    middle, across = eyes.mean(axis=0), eyes[0] - eyes[1]
    turn = _facing(across)
    distance = float(np.linalg.norm(across))
    if not SMALLEST < distance < LARGEST:
        raise InputError(f"{name}: its eyes are {distance:g} m apart; scale it to metres")
    scale = 1.0 if PLAUSIBLE[0] <= distance <= PLAUSIBLE[1] else EYE_DISTANCE / distance
    scale *= _shrink(meshes, middle, turn, scale)

    def place(points: Doubles) -> Doubles:
        return np.asarray((points - middle) @ turn.T * scale)

    for mesh in meshes:
        mesh.positions = place(mesh.positions)
        mesh.normals = mesh.normals @ turn.T
        mesh.targets = {key: rows @ turn.T * scale for key, rows in mesh.targets.items()}
    bone = nodes.place("head")
    pivot = PIVOT if bone is None else np.clip(place(bone), (0, -0.15, -0.12), (0, -0.04, -0.02))
    heads, balls = zip(*(_follow(mesh, nodes) for mesh in meshes), strict=True)
    return Fit(place(eyes), pivot, 0.19 * distance * scale, found, heads, balls)


def find_eyes(meshes: Sequence[Mesh], nodes: Nodes, targets: Targets, name: str) -> tuple[Doubles, str]:
    """Return the eyes (2, 3), left and right, where they are in the file, and by what they were found."""
    left, right = nodes.place("leftEye"), nodes.place("rightEye")
    if left is not None and right is not None and not np.allclose(left, right):
        balls = _ball(meshes, "leftEye"), _ball(meshes, "rightEye")
        places = (left if balls[0] is None else balls[0], right if balls[1] is None else balls[1])
        return np.stack(places), "bones"
    left, right = (_moved(meshes, targets, f"arkit:eyeBlink{side}") for side in ("Left", "Right"))
    if left is not None and right is not None:
        return np.stack([left, right]), "the lids that blink"
    for source in ("vrm:blink", "eyesClosed"):
        if (both := _moved_rows(meshes, targets, source)) is not None:
            right = both[:, 0] < both[:, 0].mean()
            return np.stack([both[~right].mean(axis=0), both[right].mean(axis=0)]), "the lids that blink"
    face = [rows for mouth in _MOUTHS if (rows := _moved_rows(meshes, targets, mouth)) is not None]
    if not face:
        raise InputError(
            f"{name}: no face: neither bones of eyes nor targets of lids or mouth; see mien avatar check"
        )
    mouth, points = face[0], np.concatenate([mesh.positions for mesh in meshes])
    lips, width = mouth.mean(axis=0), np.ptp(mouth[:, 0])
    above = points[(np.abs(points[:, 0] - lips[0]) < width) & (points[:, 1] > lips[1])]
    up = min(0.45 * (above[:, 1].max() - lips[1]), 1.1 * width)
    return lips + np.array([[0.4 * width, up, 0], [-0.4 * width, up, 0]]), "the place of the mouth"


_MOUTHS = ("arkit:jawOpen", "viseme:aa", "vrm:aa", "mouthOpen")


def _ball(meshes: Sequence[Mesh], bone: str) -> Doubles | None:
    """Return the middle of the eyeball that a bone turns, or None where it turns no ball (flat eyes)."""
    points = [mesh.positions[mesh.pull[bone] > 0.5] for mesh in meshes if bone in mesh.pull]
    rows = np.concatenate(points) if points else np.zeros((0, 3))
    if len(rows) < 60:
        return None
    low, high = rows.min(axis=0), rows.max(axis=0)
    return np.asarray((low + high) / 2) if np.ptp(high - low) < 0.35 * (high - low).max() else None


def _moved_rows(meshes: Sequence[Mesh], targets: Targets, source: str) -> Doubles | None:
    """Return the vertices that a target moves by at least a third of its most, or None."""
    rows = []
    for mesh, moves in targets.moves(source).items():
        length = np.linalg.norm(moves, axis=1)
        if length.max(initial=0) > 0:
            rows.append(meshes[mesh].positions[length > length.max() / 3])
    return np.concatenate(rows) if rows else None


def _moved(meshes: Sequence[Mesh], targets: Targets, source: str) -> Doubles | None:
    rows = _moved_rows(meshes, targets, source)
    return None if rows is None else np.asarray((rows.min(axis=0) + rows.max(axis=0)) / 2)


def _facing(across: Doubles) -> Doubles:
    """Return the turn about Y (3, 3) that puts the left eye on the left: along +X."""
    angle = float(np.arctan2(across[2], across[0]))
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def _shrink(meshes: Sequence[Mesh], middle: Doubles, turn: Doubles, scale: float) -> float:
    """Return what makes a head no larger than a picture expects; comic heads are large for their eyes."""
    rows = [
        mesh.positions[mesh.pull["head"] > 0.5] if "head" in mesh.pull else mesh.positions for mesh in meshes
    ]
    points = (np.concatenate(rows) - middle) @ turn.T * scale
    near = points[(points[:, 1] > -0.12 * scale) & (points[:, 1] < 10)]
    if not len(near):
        return 1.0
    reach = 2 * float(np.quantile(np.abs(near[:, 0]), 0.97))
    return min(1.0, WIDEST / max(reach, 1e-6), TALLEST / max(float(near[:, 1].max()), 1e-6))


def _follow(mesh: Mesh, nodes: Nodes) -> tuple[Doubles, tuple[Doubles, Doubles]]:
    """Return how much each vertex follows the head, and each of the two eyes."""
    none = np.zeros(len(mesh.positions))
    left, right = (mesh.pull.get(bone, none) for bone in ("leftEye", "rightEye"))
    if "head" in nodes.bones:
        head, neck = mesh.pull["head"], mesh.pull.get("neck", none)
        weight = np.clip(head + 0.5 * (neck - head).clip(0), 0, 1)
    else:
        low, high = NECK
        weight = np.clip((mesh.positions[:, 1] - low) / (high - low), 0, 1)
    return weight, (left, right)


def looks(
    fit: Fit, meshes: Sequence[Mesh], reach: float, limits: Mapping[str, float]
) -> dict[str, dict[int, Doubles]]:
    """Return moves of the `eyeLook` targets, made of turning flat eyes about their bones (VRM).

    `reach`: the share of a gaze that the rig lets its eyes turn; `limits`: the angle of each direction.
    """
    out: dict[str, dict[int, Doubles]] = {}
    for side, word in enumerate(("Left", "Right")):
        for direction, (axis, sign) in _DIRECTIONS.items():
            inward = -1 if side else 1
            angle = sign * limits[direction] * reach * (inward if axis == 1 else 1)
            spin = np.zeros(3)
            spin[axis] = angle
            for number, mesh in enumerate(meshes):
                weight = fit.eye_weights[number][side]
                if weight.any():
                    moves = np.cross(spin, mesh.positions - fit.eyes[side]) * weight[:, None]
                    out.setdefault(f"eyeLook{direction}{word}", {})[number] = moves
    return out


# Axis of the turn and its sign, for the left eye: see `mien.face.pose`.
_DIRECTIONS = {"Up": (0, -1), "Down": (0, 1), "In": (1, -1), "Out": (1, 1)}

"""Glasses: frames that stand before the eyes and rest on the nose and the ears of any head.

Of the lenses only glints are made, opaque: the edge catches the key light. No renderer here knows glass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.eyes import grid_triangles
from mien.avatar.build.geometry import unit
from mien.avatar.build.human import Doubles
from mien.avatar.build.person import Glasses
from mien.avatar.build.skin import Skin
from mien.avatar.build.strands import ribbon_triangles
from mien.errors import InputError, nearest

AROUND, SIDES = 36, 7  # points of a rim, of its cross-section
GLINT_POINTS = 12  # along a glint
BEFORE = 0.30  # dm: of the lenses before the eyes' centres, at least
CLEAR = 0.022  # dm: between the frame and the skin
WRAP = 0.05  # how far the outer ends of the rims lean back
# Glints: (first, last) degrees around a lens, how far out on it, half their width in dm.
GLINTS = ((112.0, 162.0, 0.84, 0.0085), (168.0, 178.0, 0.84, 0.0065), (300.0, 328.0, 0.86, 0.005))
GLINT = (0.62, 0.66, 0.70)
MATERIAL = "tongue"  # what the renderer draws glossy in the vertices' own colour


@dataclass(frozen=True, slots=True)
class Frame:
    """Half `width` and `height` of a lens; `square`: the exponent of its outline, 2 an ellipse; `rim`: half
    its thickness and depth; `arm`: those of the temples; `drop`: of the lenses below the eyes; all dm.
    """

    width: float
    height: float
    square: float
    rim: tuple[float, float]
    arm: tuple[float, float]
    drop: float
    bridge: float


FRAMES: Mapping[str, Frame | None] = {
    "none": None,
    "round": Frame(0.245, 0.235, 2.0, (0.0085, 0.0085), (0.009, 0.014), 0.045, 0.06),
    "square": Frame(0.258, 0.190, 4.0, (0.018, 0.015), (0.012, 0.026), 0.035, 0.07),
}


def make_glasses(cast: Cast, skin: Skin, looks: Glasses) -> list[Draft]:
    """Return a frame as one draft, or none. Raises `InputError` when there is no such frame."""
    if looks.frame not in FRAMES:
        raise InputError(f"no glasses {looks.frame!r}{nearest(looks.frame, FRAMES)}")
    frame = FRAMES[looks.frame]
    if frame is None:
        return []
    left = _left(cast, skin, frame)
    pieces = [*left, *((p * [-1, 1, 1], f[:, ::-1]) for p, f in left[:-1])]
    offsets = np.cumsum([0, *(len(p) for p, _ in pieces)])
    made = draft(
        "glasses",
        MATERIAL,
        np.concatenate([p for p, _ in pieces]),
        np.concatenate([f + o for (_, f), o in zip(pieces, offsets, strict=False)]),
        color=looks.color,
        two_sided=True,
    )
    made.find_normals()
    return [made, _glints(left[0][0], frame)]


def _glints(rim: Doubles, frame: Frame) -> Draft:
    """Return what light leaves on the edges of both lenses, the same on both; `rim`: the left one's tube."""
    middle = rim.mean(axis=0)
    flat = [_glint(frame, *glint) for glint in GLINTS]
    points = [
        np.c_[each + middle[:2] * [side, 1], middle[2] - WRAP * side * each[:, :1] / frame.width]
        for each in flat
        for side in (1, -1)
    ]
    made = draft(
        "glints",
        MATERIAL,
        np.concatenate(points),
        ribbon_triangles(len(points), GLINT_POINTS),
        color=GLINT,
        two_sided=True,
    )
    made.normals = np.tile([0.0, 0.0, 1.0], (len(made.positions), 1))
    return made


def _glint(frame: Frame, first: float, last: float, out: float, half: float) -> Doubles:
    """Return a sliver along a lens's edge, (x, y) from its middle: pairs of points, pointed at both ends."""
    turn = np.radians(np.linspace(first, last, GLINT_POINTS))
    way = np.stack([_power(np.cos(turn), frame), _power(np.sin(turn), frame)], 1)
    width = half * np.sin(np.linspace(0.0, np.pi, GLINT_POINTS))[:, None]
    size = out * np.array([frame.width, frame.height])
    return np.stack([way * (size - width), way * (size + width)], 1).reshape(-1, 2)


def _left(
    cast: Cast, skin: Skin, frame: Frame
) -> list[tuple[Doubles, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]]:
    """Return the left rim, temple and pad, and last the bridge, which both sides share."""
    eye = cast.eyes[0]
    middle = np.array([max(float(eye[0]) + 0.015, frame.width + 0.075), eye[1] - frame.drop, 0.0])
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = np.stack([_power(np.cos(turn), frame), _power(np.sin(turn), frame), np.zeros(AROUND)], 1)
    rim = middle + ring * [frame.width, frame.height, 1]
    rim[:, 2] = _front(skin, rim, float(eye[2]), frame) - WRAP * (rim[:, 0] - middle[0]) / frame.width
    hinge = rim[np.argmin(np.abs(turn - 0.42))] + [frame.rim[0], 0, -0.01]
    inner = rim[np.argmin(np.abs(turn - (np.pi - 0.45)))]
    arch = np.linspace(1, 0, 6)[:, None] * inner
    bridge = np.stack([arch[:, 0], inner[1] + frame.bridge * (1 - np.linspace(1, 0, 6) ** 2) * 0.5,
                       inner[2] + 0.03 * (1 - np.linspace(1, 0, 6) ** 2)], 1)  # fmt: skip
    whole = np.concatenate([bridge, bridge[-2::-1] * [-1, 1, 1]])
    pad = (
        np.linspace(0, 1, 4)[:, None] * [-0.055, -0.06, -0.075] + rim[np.argmin(np.abs(turn - np.pi - 0.25))]
    )
    return [
        _tube(rim, frame.rim, closed=True),
        _tube(_temple(skin, hinge), frame.arm),
        _tube(pad, (0.012, 0.016)),
        _tube(whole, frame.rim),
    ]


def _power(wave: Doubles, frame: Frame) -> Doubles:
    return np.asarray(np.sign(wave) * np.abs(wave) ** (2 / frame.square))


def _front(skin: Skin, rim: Doubles, eye_z: float, frame: Frame) -> float:
    """Return the depth of the lenses' plane: before the lashes, and clear of brows and cheeks."""
    points = skin.draft.positions[skin.draft.positions[:, 2] > 0.3]
    low, high = rim.min(axis=0) - frame.rim[0], rim.max(axis=0) + frame.rim[0]
    under = points[(points[:, 0] > low[0] + 0.10) & (points[:, 0] < high[0])]
    under = under[(under[:, 1] > low[1]) & (under[:, 1] < high[1])]
    lean = WRAP * (under[:, 0] - rim[:, 0].mean()) / frame.width
    return max(eye_z + BEFORE, float((under[:, 2] + lean).max()) + CLEAR + frame.rim[1])


def _temple(skin: Skin, hinge: Doubles) -> Doubles:
    """Return the centre line of the left temple, from its hinge over the ear and down behind it."""
    ear = skin.draft.positions[skin.ears & (skin.draft.positions[:, 0] > 0)]
    top = ear[ear[:, 1] > ear[:, 1].max() - 0.06]
    rest = np.array([float(ear[:, 0].min()) + 0.05, float(top[:, 1].max()) + 0.012, float(top[:, 2].mean())])
    behind = [rest[0] - 0.02, rest[1] - 0.22, float(ear[:, 2].min()) - 0.02]
    corner = hinge + np.array([0.03, 0, -0.06])
    t = np.linspace(0, 1, 9)[1:, None]
    along = corner * (1 - t) + rest * t
    side = skin.draft.positions[skin.draft.positions[:, 2] > rest[2]]
    for point in along[:-1]:
        beside = side[np.abs(side[:, 1:] - point[1:]).max(axis=1) < 0.09]
        point[0] = max(point[0], float(beside[:, 0].max(initial=0.0)) + CLEAR)
    return np.concatenate([[hinge, corner], along, [0.5 * (rest + behind) + [0, 0.05, -0.02], behind]])


def _tube(
    line: Doubles, half: tuple[float, float], *, closed: bool = False
) -> tuple[Doubles, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """Sweep an ellipse of half axes `half` (across the line, and square to it) along a line (P, 3)."""
    ends = np.concatenate([line[-1:], line, line[:1]]) if closed else line
    tangent = unit(np.gradient(ends, axis=0))[1:-1] if closed else unit(np.gradient(ends, axis=0))
    level = np.abs(tangent[:, 2:]) > 0.8
    across = unit(np.cross(tangent, np.where(level, [[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]])))
    deep = np.cross(across, tangent)
    turn = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)[:, None]
    points = line[:, None] + np.cos(turn) * half[0] * across[:, None] + np.sin(turn) * half[1] * deep[:, None]
    faces = grid_triangles(len(line), SIDES, wrap=True)
    if closed:
        last = (len(line) - 1) * SIDES
        a, b = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
        faces = np.concatenate([faces, np.stack([last + a, a, last + b], 1), np.stack([last + b, a, b], 1)])
    return points.reshape(-1, 3), faces

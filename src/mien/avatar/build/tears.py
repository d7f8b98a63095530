"""The wet rims of the lids: strips between lower lid and eyeball, where tears gather and glint."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.draft import Cast, Draft, draft
from mien.avatar.build.eyes import eye_radius, grid_triangles
from mien.avatar.build.geometry import unit
from mien.avatar.build.human import Doubles, Human
from mien.avatar.build.lashes import along_line, edge_line

POINTS = 40  # along a lid
HEIGHT, FORWARD = 0.0065, 0.0035  # dm: how far a rim climbs the eyeball and stands out from it
SUNK = np.array([0.0, 0.0, -0.03])  # a closing lid pushes a rim back, dm
RIM_COLOR = np.array([0.50, 0.30, 0.26])


def make_tears(human: Human, cast: Cast) -> list[Draft]:
    """Return the rims of the left and the right lower lid."""
    return [_rim(human, cast, side) for side in "lr"]


def _rim(human: Human, cast: Cast, side: str) -> Draft:
    eye = cast.eyes["lr".index(side)]
    corners, shares = along_line(edge_line(human, cast, side, "1"), np.linspace(0.15, 0.94, POINTS))

    def gather(rows: Doubles) -> Doubles:
        return np.asarray((rows[corners] * shares[..., None]).sum(axis=1))

    edge = gather(cast.vertices)
    thin = np.sin(np.linspace(0.05, np.pi - 0.05, POINTS))[:, None] ** 0.8
    on_ball = unit(edge + [0.0, HEIGHT, 0.0] * thin - eye)
    ahead = unit(edge - eye)
    top = eye + on_ball * (eye_radius(cast) + 0.0008)
    middle = edge + [0.0, 0.45 * HEIGHT, 0.0] * thin + ahead * FORWARD * thin
    rows = np.stack([top, middle, edge + ahead * FORWARD * 0.6 * thin])
    moves = {name: np.tile(gather(delta), (3, 1)) for name, delta in cast.face_units.items()}
    moves[f"eyeBlink{'Left' if side == 'l' else 'Right'}"] += SUNK
    triangles = grid_triangles(3, POINTS, wrap=False)
    rim = draft(
        f"tears_{'left' if side == 'l' else 'right'}",
        "teeth",
        rows.reshape(-1, 3),
        triangles if side == "l" else triangles[:, ::-1],
        color=RIM_COLOR,
        morphs={name: delta for name, delta in moves.items() if np.abs(delta).max() > 1e-4},
        two_sided=True,
    )
    rim.find_normals()
    return rim

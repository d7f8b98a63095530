"""What the painter of the skin sees at each texel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from mien.avatar.build.draft import Cast
from mien.avatar.build.geometry import smoothstep
from mien.avatar.build.human import Doubles, Human
from mien.avatar.build.landmarks import Landmarks, find_landmarks
from mien.avatar.build.lashes import UPPER, along_line, edge_line
from mien.avatar.build.masks import read_mask
from mien.avatar.build.noise import cells, fractal_noise, value_noise
from mien.avatar.build.skin import Skin
from mien.avatar.build.texture import Texels

LASH_STEPS, LASH_REACH = 80, 0.1  # points along a lid; dm: no shade of lashes reaches further


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """By texel (N, ...): positions dm, the masks of lips and lids, the openness, the height above the
    hairline, coarse to finest noise, `mottling` where blood shows, `pores` (0 in one, to 1), the
    distance to the upper lashes' roots, dm; and of the face: its landmarks, the eye's centre, the mouth's
    height, the nose's tip.
    """

    points: Doubles
    lips: Doubles
    lids: Doubles
    openness: Doubles
    in_mouth: Doubles
    scalp: Doubles
    coarse: Doubles
    mottling: Doubles
    fine: Doubles
    finest: Doubles
    pores: Doubles
    lash_line: Doubles
    face: Landmarks
    eye: Doubles
    mouth_y: float
    nose_z: float

    @property
    def across(self) -> Doubles:
        """Distance from the middle (N,)."""
        return np.abs(self.points[:, 0])

    @property
    def height(self) -> Doubles:
        """Height above the eyes (N,)."""
        return self.points[:, 1]

    def spot(self, x: float, y: float, half_x: float, half_y: float) -> Doubles:
        """Return a soft spot (N,), mirrored in X, by its centre and half extents, dm."""
        dx, dy = (self.across - x) / half_x, (self.height - y) / half_y
        return np.asarray(np.exp(-dx * dx - dy * dy))

    def before(self, z: float) -> Doubles:
        """Return 1 for what lies in front of `z`, else 0 (N,)."""
        return np.asarray(self.points[:, 2] > z, np.float64)


def make_canvas(human: Human, cast: Cast, skin: Skin, scalp: Doubles, texels: Texels) -> Canvas:
    """Spread the skin over the texels; `scalp` (V,) is the height above the hairline."""
    points = texels.spread(skin.draft.positions)
    uvs = texels.spread(skin.mask_uvs)
    lips = read_mask(human.mask("lips"), uvs)
    return Canvas(
        points=points,
        lips=lips,
        lids=read_mask(human.mask("eyelids"), uvs),
        openness=texels.spread(skin.draft.occlusion[:, 0]),
        in_mouth=texels.spread(skin.in_mouth.astype(np.float64)),
        scalp=texels.spread(scalp),
        coarse=fractal_noise(points * 3),
        mottling=fractal_noise(points * 11 + 7.3),
        fine=fractal_noise(points * 26),
        finest=value_noise(points * 90),
        lash_line=_away_from_lashes(human, cast, points),
        pores=smoothstep(0.12, 0.52, cells(points * 85)[0]),
        face=find_landmarks(cast),
        eye=cast.eyes[0],
        mouth_y=float(points[(lips > 0.5) & (points[:, 2] > 0.7), 1].mean()),
        nose_z=float(points[:, 2].max()),
    )


def _away_from_lashes(human: Human, cast: Cast, points: Doubles) -> Doubles:
    """Return how far points (N, 3) are from the roots of the upper lashes (N,), dm; the corners are bare."""
    roots = []
    for side in "lr":
        corners, shares = along_line(edge_line(human, cast, side, UPPER), np.linspace(0.08, 1, LASH_STEPS))
        roots.append((cast.vertices[corners] * shares[..., None]).sum(axis=1))
    away, _ = cKDTree(np.concatenate(roots)).query(points, distance_upper_bound=LASH_REACH)
    return np.asarray(np.minimum(away, LASH_REACH))

"""Where hair grows, and the surface that it lies on and must not enter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from mien.avatar.build.draft import Draft
from mien.avatar.build.geometry import Table, lookup, unit
from mien.avatar.build.hairstyles import Style
from mien.avatar.build.human import Doubles, Indices
from mien.avatar.build.skin import Skin
from mien.avatar.build.surface import Surface

AXIS_Z = -0.02  # the vertical axis about which a hairline's azimuth is measured
PAINTED = 0.085  # dm: over what height the painter lets the scalp fade
FLAT = 0.15  # share of its height that an ear keeps under long hair
AROUND = 32  # neighbours on the head that an ear is laid on


def above_hairline(points: Doubles, hairline: Table) -> Doubles:
    """Return how high points (N, 3) lie above a hairline of (degrees from the front, height) pairs, dm."""
    azimuth = np.abs(np.degrees(np.arctan2(points[:, 0], points[:, 2] - AXIS_Z)))
    return np.asarray(points[:, 1] - lookup(azimuth, hairline))


@dataclass(frozen=True, slots=True, eq=False)
class Scalp:
    """The head without ears and mouth (`points`, `normals`, `triangles`), and the `body` under the hair."""

    points: Doubles
    normals: Doubles
    triangles: Indices
    body: Surface

    def distance(self, points: Doubles) -> tuple[Doubles, Doubles]:
        """Return the signed distance of points (N, 3) to the body, and its normal there (N, 3)."""
        return self.body.distance(points)

    def roots(
        self, random: np.random.Generator, count: int, hairline: Table, band: tuple[float, float]
    ) -> Doubles:
        """Return about `count` evenly scattered points (N, 3) of the skin in a band above the hairline."""
        faces = self.points[self.triangles]
        height = above_hairline(faces.mean(axis=1), hairline)
        faces = faces[(height > band[0]) & (height < band[1])]
        area = np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=1)
        chosen = faces[random.choice(len(faces), count * 6, p=area / area.sum())]
        u = random.random((count * 6, 2))
        u = np.where(u.sum(1, keepdims=True) > 1, 1 - u, u)
        weights = np.c_[1 - u.sum(1), u]
        return _thin((chosen * weights[..., None]).sum(axis=1), count, 0.75 * np.sqrt(area.sum() / 2 / count))


def _thin(points: Doubles, count: int, spacing: float) -> Doubles:
    """Keep the first `count` of the points that are no nearer to a kept one than `spacing`."""
    close = cKDTree(points).query_ball_point(points, spacing)
    blocked = np.zeros(len(points), bool)
    kept: list[int] = []
    for i, neighbours in enumerate(close):
        if not blocked[i] and len(kept) < count:
            kept.append(i)
            blocked[neighbours] = True
    return points[kept]


def make_scalp(skin: Skin, clothes: list[Draft]) -> Scalp:
    """Return the scalp of a head, with the clothes as part of what hair lies on."""
    points, normals, triangles, first = skin.welded()
    head = (points[:, 1] > -1.9) & ~skin.in_mouth[first] & ~skin.ears[first]
    body_points = np.concatenate([points[head], *(c.positions for c in clothes)])
    body_normals = np.concatenate([normals[head], *(c.normals for c in clothes)])
    triangles = triangles[head[triangles].all(axis=1)]
    return Scalp(points, normals, triangles, Surface.of(body_points, body_normals))


def lay_ears(skin: Skin) -> None:
    """Lay the ears flat on the head, as long hair does: a tip of one beside it looks like a fault."""
    head, ears = ~(skin.ears | skin.in_mouth), np.flatnonzero(skin.ears)
    points, normals = skin.draft.positions[head], skin.draft.normals[head]
    reach, near = cKDTree(points).query(skin.draft.positions[ears], k=AROUND)
    share = (1 / (reach + 0.02) ** 2)[..., None]
    share /= share.sum(axis=1, keepdims=True)
    base = (points[near] * share).sum(axis=1)
    skin.draft.positions[ears] = base + FLAT * (skin.draft.positions[ears] - base)
    skin.draft.normals[ears] = unit((normals[near] * share).sum(axis=1))


def scalp_shade(skin: Skin, style: Style) -> Doubles:
    """Return how high each skin vertex lies above the hairline, less where hair is thin or lets skin show.

    The painter covers what is above zero with the scalp's colour and leaves bare what is a little below.
    Ears stick out of the hairline and stay bare.
    """
    height = above_hairline(skin.draft.positions, style.hairline)
    soft = np.where(height < style.soft, (height - style.soft) * PAINTED / style.soft, height)
    soft = np.minimum(soft, PAINTED * (style.cover - 1)) if style.cover < 1 else soft
    return np.where(skin.ears | skin.in_mouth, np.minimum(soft, -0.3), soft)

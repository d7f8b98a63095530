from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from mien.avatar.model import Avatar, Morph, Part
from mien.avatar.render import SoftwareRenderer, detail
from mien.face.pose import FacePose, weights

from .conftest import part

COARSE = 0.001  # metres a pixel


def sheet(bump: float = 0.0, morphs: dict[str, Morph] | None = None) -> Part:
    """Return a flat sheet of 5 x 5 vertices, 1 mm apart; `bump`: how high the middle one is."""
    x, y = np.meshgrid(np.arange(5) * 1e-3, np.arange(5) * 1e-3)
    points = np.stack([x, y, np.zeros_like(x)], -1).reshape(-1, 3).astype(np.float32)
    points[12, 2] = bump
    i = np.array([r * 5 + c for r in range(4) for c in range(4)])
    triangles = np.concatenate([np.stack([i, i + 1, i + 5], 1), np.stack([i + 1, i + 6, i + 5], 1)])
    return part("sheet", "cloth", (points, triangles.astype(np.int32)), morphs=morphs)


def fitted(toy: Avatar, one: Part) -> Part:
    return detail.fitted(replace(toy, parts=(one,)), COARSE).parts[0]


def area(one: Part) -> float:
    a, b, c = (one.positions[one.triangles[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_what_is_flat_needs_few_triangles_and_keeps_its_outline(toy: Avatar) -> None:
    reduced = fitted(toy, sheet())
    assert len(reduced.triangles) < 16
    assert area(reduced) == pytest.approx(area(sheet()))
    assert len(reduced.normals) == len(reduced.positions) == reduced.triangles.max() + 1


def test_what_a_pixel_shows_stays(toy: Avatar) -> None:
    assert fitted(toy, sheet(bump=2 * COARSE)).positions[:, 2].max() == np.float32(2 * COARSE)
    assert len(fitted(toy, sheet(bump=COARSE / 50)).triangles) == len(fitted(toy, sheet()).triangles)


def test_what_moves_by_itself_stays_with_its_motion(toy: Avatar) -> None:
    up = np.array([[0, 0, 1e-2]], np.float32)
    morph = Morph(np.array([12], np.int32), up, np.zeros_like(up))
    reduced = fitted(toy, sheet(morphs={"jawOpen": morph}))
    assert len(reduced.positions) < 25
    assert reduced.positions[reduced.morphs["jawOpen"].indices].tolist() == [[*sheet().positions[12]]]


def test_a_seam_is_not_torn(toy: Avatar) -> None:
    """Two sheets that share an edge, each with vertices of its own there."""
    one = sheet()
    both = np.concatenate([one.positions, one.positions + np.array([4e-3, 0, 0], np.float32)])
    pair = part("pair", "cloth", (both, np.concatenate([one.triangles, one.triangles + 25])))
    reduced = fitted(toy, pair)
    at = reduced.positions[np.isclose(reduced.positions[:, 0], 4e-3)]
    assert len(at) == 10
    assert len(reduced.triangles) < len(pair.triangles)


def test_eyes_teeth_and_tongue_stay_whole(toy: Avatar) -> None:
    reduced = detail.fitted(toy, COARSE)
    for before, after in zip(toy.parts, reduced.parts, strict=True):
        if before.material in ("eye", "teeth", "tongue"):
            assert after.triangles is before.triangles


def test_the_same_head_gives_the_same_meshes(person: Avatar) -> None:
    one, other = (detail.fitted(person, COARSE) for _ in range(2))
    for a, b in zip(one.parts, other.parts, strict=True):
        assert (a.triangles == b.triangles).all()
    count = [sum(len(p.triangles) for p in avatar.parts) for avatar in (person, one)]
    assert count[1] < 0.8 * count[0]


def test_a_person_looks_the_same(person: Avatar) -> None:
    """Within two thirds of a level in the mean; lips and eyes, seen from a pixel's distance, much less."""
    size, pose = (320, 320), FacePose(weights({"jawOpen": 0.4, "eyeBlinkLeft": 0.5, "mouthSmile": 0.4}))

    def drawn(*, reduced: bool) -> NDArray[np.float64]:
        with SoftwareRenderer(person, size, reduced=reduced) as renderer:
            return renderer.render(pose).astype(float)

    away = np.abs(drawn(reduced=True) - drawn(reduced=False))
    assert 0 < away.mean() < 1.0
    assert np.percentile(away, 99) < 24

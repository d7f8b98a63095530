from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mien.avatar.model import MATERIALS
from mien.avatar.render import Camera, layout, lights, tone
from mien.avatar.render.kernels.light import illuminate

MATTE = [name for name in MATERIALS if name != "eye"]


def model(static: NDArray[np.float32]) -> layout.Model:
    none = np.zeros((2, 2), np.float32)
    faces = np.array([[0, 1, 2, 0, 0, 0]], np.int32)
    skin = np.zeros((2, 2, 6), np.uint8)
    return layout.Model(faces, static, skin, none, none, lights.studio(), tone.table(), 1)


def moment(points: NDArray[np.float32]) -> layout.Moment:
    head = np.vstack([np.eye(3), np.zeros(3)]).astype(np.float32)
    camera = Camera((0, 0, 1), (0, 0, 0), 0.4).matrix((64, 64))
    none = np.zeros((2, 3), np.float32)
    turns, state = np.zeros((2, 3, 3), np.float32), np.zeros(1, np.float32)
    return layout.Moment(points, np.zeros((3, 3), np.float32), head, camera, turns, none[0], none, state)


def lit(
    kind: str, normal: tuple[float, float, float], *, openness: float = 1.0, shine: float = 1.0
) -> NDArray[np.float32]:
    points = np.array([[0, 0, 0, *normal]] * 3, np.float32)
    static = np.zeros((3, layout.STATIC_COLUMNS), np.float32)
    static[:, layout.OCCLUSION : layout.OCCLUSION_OPEN + 1] = openness
    static[:, layout.KEY : layout.KEY_OPEN + 1] = shine
    static[:, layout.RED : layout.BLUE + 1] = 0.5
    static[:, layout.Y] = 1 if kind == "hair" else 0
    static[:, layout.KIND] = MATERIALS.index(kind)
    static[:, layout.TANGENT], static[:, layout.HAND] = 1, 1
    out, stamp = np.full((3, layout.LIT_COLUMNS), np.nan, np.float32), np.zeros(3, np.int32)
    illuminate(0, model(static), moment(points), out, stamp, 1)
    assert (stamp == 1).all()
    return out[0, : layout.RELIEF]


@pytest.mark.parametrize("kind", MATTE)
def test_light_is_finite_and_never_negative(kind: str) -> None:
    for normal in ((0, 0, 1), (1, 0, 0), (0, -1, 0), (0, 0, -1), (-0.5, 0.6, 0.7)):
        light = lit(kind, normal)
        assert np.isfinite(light).all()
        assert (light >= -1e-6).all()


@pytest.mark.parametrize("kind", MATTE)
def test_the_side_of_the_key_light_is_the_brighter_one(kind: str) -> None:
    assert lit(kind, (-0.5, 0.5, 0.7))[:3].sum() > lit(kind, (0.5, -0.5, 0.7))[:3].sum()


@pytest.mark.parametrize("kind", MATTE)
def test_hollows_and_shadows_are_darker(kind: str) -> None:
    free = lit(kind, (-0.3, 0.4, 0.8)).sum()
    assert lit(kind, (-0.3, 0.4, 0.8), openness=0.3).sum() < free
    assert lit(kind, (-0.3, 0.4, 0.8), shine=0.0).sum() < free


def test_skin_shadows_are_warm() -> None:
    def warmth(shine: float) -> float:
        light = lit("skin", (-0.3, 0.4, 0.8), shine=shine)
        return float(light[0] / light[2])

    assert warmth(0.3) > warmth(1.0)


def test_an_eye_keeps_its_normal() -> None:
    assert lit("eye", (0.6, 0.0, 0.8))[:3].tolist() == pytest.approx([0.6, 0.0, 0.8])

"""A toy head: a ball with eyes, lids, lips, hair, teeth, tongue, brows and a collar, some 900 triangles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from mien.avatar.model import Avatar, Morph, Part
from mien.avatar.render.gl import Stage
from mien.errors import MissingError

Array = NDArray[np.float32]


def ball(
    radius: float, center: tuple[float, float, float], columns: int, rows: int
) -> tuple[Array, NDArray[np.int32]]:
    """Return positions and triangles, counter-clockwise outside."""
    angle = np.linspace(0, 2 * np.pi, columns, endpoint=False)
    height = np.linspace(-np.pi / 2, np.pi / 2, rows)
    a, h = np.meshgrid(angle, height)
    unit = np.stack([np.cos(h) * np.sin(a), np.sin(h), np.cos(h) * np.cos(a)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij")
    low, right = (i * columns + j).ravel(), (i * columns + (j + 1) % columns).ravel()
    triangles = np.concatenate(
        [np.stack([low, right, right + columns], -1), np.stack([low, right + columns, low + columns], -1)]
    )
    return (unit * radius + center).astype(np.float32), triangles.astype(np.int32)


def quad(left: float, right: float, bottom: float, top: float, z: float) -> tuple[Array, NDArray[np.int32]]:
    points = [[left, bottom, z], [right, bottom, z], [right, top, z], [left, top, z]]
    return np.array(points, np.float32), np.array([[0, 1, 2], [0, 2, 3]], np.int32)


def part(
    name: str,
    material: str,
    shape: tuple[Array, NDArray[np.int32]],
    *,
    normals: Array | None = None,
    color: tuple[float, float, float] = (1, 1, 1),
    extra: Array | None = None,
    morphs: dict[str, Morph] | None = None,
    two_sided: bool = False,
    head: float = 1.0,
) -> Part:
    points, triangles = shape
    n = len(points)
    flat = np.tile(np.array([0, 0, 1], np.float32), (n, 1))
    return Part(
        name=name,
        material=material,
        positions=points,
        normals=flat if normals is None else normals,
        uvs=np.full((n, 2), 0.5, np.float32),
        triangles=triangles,
        head_weight=np.full(n, head, np.float32),
        occlusion=np.ones((n, 2), np.float32),
        key_light=np.ones((n, 2), np.float32),
        color=np.tile(np.array(color, np.float32), (n, 1)),
        extra=np.zeros((n, 4), np.float32) if extra is None else extra,
        two_sided=two_sided,
        morphs=morphs or {},
    )


def shift(points: Array, by: tuple[float, float, float]) -> Morph:
    """Return a morph that moves every point."""
    moved = np.tile(np.array(by, np.float32), (len(points), 1))
    return Morph(np.arange(len(points), dtype=np.int32), moved, np.zeros_like(moved))


EYES = np.array([[0.03, 0, 0.088], [-0.03, 0, 0.088]], np.float32)
RADIUS = 0.016


def eye(side: int) -> Part:
    shape = ball(RADIUS, tuple(EYES[side]), 24, 16)
    unit = (shape[0] - EYES[side]) / RADIUS
    extra = np.concatenate([unit, np.full((len(unit), 1), side)], 1).astype(np.float32)
    return part(f"eye{side}", "eye", shape, normals=unit.astype(np.float32), extra=extra)


def lid(name: str, side: int) -> Part:
    x = float(EYES[side, 0])
    shape = quad(x - 0.018, x + 0.018, 0.017, 0.022, 0.108)
    drop = np.zeros((4, 3), np.float32)
    drop[:2, 1] = -0.036
    morph = Morph(np.arange(4, dtype=np.int32), drop, np.zeros_like(drop))
    return part(f"lid{side}", "skin", shape, morphs={f"eyeBlink{name}": morph}, two_sided=True)


def hair() -> Part:
    shapes = [
        quad(x, x + 0.011, 0.05, 0.115, 0.07 + 0.001 * i) for i, x in enumerate(np.linspace(-0.08, 0.07, 14))
    ]
    points = np.concatenate([points for points, _ in shapes])
    triangles = np.concatenate([faces + 4 * i for i, (_, faces) in enumerate(shapes)])
    extra = np.zeros((len(points), 4), np.float32)
    extra[:, 1] = -1
    extra[:, 3] = np.repeat(np.arange(14), 4) + 0.5
    return part("hair", "hair", (points, triangles), color=(0.1, 0.05, 0.03), extra=extra, two_sided=True)


@pytest.fixture(scope="session")
def toy() -> Avatar:
    skull = ball(0.1, (0, 0, 0), 32, 16)
    unit = (skull[0] / 0.1).astype(np.float32)
    upper, lower = quad(-0.02, 0.02, -0.05, -0.042, 0.105), quad(-0.02, 0.02, -0.058, -0.05, 0.105)
    open_jaw = {"jawOpen": shift(lower[0], (0, -0.02, 0))}
    teeth = part("teeth", "teeth", quad(-0.015, 0.015, -0.06, -0.048, 0.102), color=(0.9, 0.87, 0.8))
    tongue = part("tongue", "tongue", quad(-0.012, 0.012, -0.07, -0.06, 0.102), color=(0.5, 0.15, 0.15))
    brow = part(
        "brow", "strand", quad(0.015, 0.045, 0.03, 0.034, 0.11), color=(0.05, 0.03, 0.02), two_sided=True
    )
    collar = part("collar", "cloth", quad(-0.3, 0.3, -0.4, -0.11, 0.0), color=(0.05, 0.1, 0.3), head=0.0)
    parts = (
        part("skull", "skin", skull, normals=unit),
        part("upper lip", "skin", upper),
        part("lower lip", "skin", lower, morphs=open_jaw),
        *(eye(side) for side in (0, 1)),
        lid("Left", 0),
        lid("Right", 1),
        hair(),
        teeth,
        tongue,
        brow,
        collar,
    )
    skin = np.full((16, 16, 4), (205, 160, 140, 90), np.uint8)
    iris = np.array([[0.05, 0.03, 0.02], [0.2, 0.1, 0.04]], np.float32)
    return Avatar("toy", parts, skin, EYES, RADIUS, np.array([0, -0.1, 0], np.float32), iris)


@pytest.fixture(scope="session", params=["ava", "joe"])
def person(request: pytest.FixtureRequest) -> Avatar:
    """A built-in person; built from the pack `human` on first use, some ten seconds."""
    from mien.avatar import load

    try:
        return load(request.param)
    except MissingError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """One OpenGL context for all tests: a GPU's, or Mesa's llvmpipe."""
    try:
        stage = Stage()
    except MissingError as error:
        pytest.skip(str(error))
    with stage:
        yield stage

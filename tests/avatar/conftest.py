"""A head of a few triangles, with every material that files must carry."""

from __future__ import annotations

import numpy as np
import pytest

from mien.avatar.model import MATERIALS, Avatar, Morph, Part


@pytest.fixture
def tiny() -> Avatar:
    random = np.random.default_rng(1)

    def floats(*shape: int) -> np.ndarray:
        return random.random(shape).astype(np.float32)

    def part(name: str, material: str) -> Part:
        moved = np.array([1, 3], np.int32)
        turn = floats(5, 3) - 0.5
        return Part(
            name=name,
            material=material,
            positions=floats(5, 3) * np.float32(0.1),
            normals=turn / np.linalg.norm(turn, axis=1, keepdims=True),
            uvs=floats(5, 2),
            triangles=np.array([[0, 1, 2], [2, 3, 4]], np.int32),
            head_weight=np.array([0, 0.25, 0.5, 1, 1], np.float32),
            occlusion=floats(5, 2),
            key_light=floats(5, 2),
            color=floats(5, 3),
            extra=np.full((5, 4), name == "eye_right", np.float32),
            two_sided=material == "hair",
            morphs={
                "jawOpen": Morph(moved, floats(2, 3) * np.float32(0.01), floats(2, 3)),
                "eyeBlinkLeft": Morph(
                    np.arange(5, dtype=np.int32), -floats(5, 3) * np.float32(0.01), floats(5, 3)
                ),
            }
            if material in ("skin", "eye")
            else {},
        )

    others = [part(material, material) for material in MATERIALS if not material.startswith("eye")]
    return Avatar(
        name="tiny",
        parts=(*others, part("eye_left", "eye"), part("eye_right", "eye")),
        skin=random.integers(0, 255, (32, 32, 4), np.uint8),
        eye_centers=np.array([[0.03, 0, 0], [-0.03, 0, 0]], np.float32),
        eye_radius=0.012,
        pivot=np.array([0, -0.04, -0.1], np.float32),
        iris=floats(2, 3),
        credits="nobody: CC0",
    )

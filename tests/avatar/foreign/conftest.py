"""Heads as other programs export them: an egg with eyes, small, but with all that readers must know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mien.avatar.files.document import Document
from mien.face.pose import ARKIT_NAMES

EYES = np.array([[0.032, 0.0, 0.075], [-0.032, 0.0, 0.075]])
HIPS, NECK, HEAD, LEFT, RIGHT = range(5)


def ball(center: Sequence[float], radius: Sequence[float], steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return an ellipsoid's vertices and triangles, counter-clockwise outside."""
    up, around = np.meshgrid(np.linspace(0, np.pi, steps), np.linspace(0, 2 * np.pi, steps), indexing="ij")
    points = np.stack([np.sin(up) * np.sin(around), np.cos(up), np.sin(up) * np.cos(around)], -1)
    grid = np.arange(steps * steps).reshape(steps, steps)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    faces = np.concatenate([np.stack(corners, -1).reshape(-1, 3) for corners in ((a, b, c), (a, c, d))])
    return points.reshape(-1, 3) * radius + center, faces


def moves(points: np.ndarray, name: str) -> np.ndarray:
    """Return what a target does: `jaw`, `left lid`, `right lid`, `corners`, `round`, `brows`."""
    lips = np.exp(-(((points - [0, -0.07, 0.09]) / [0.03, 0.025, 0.04]) ** 2).sum(1))[:, None]
    lid = {
        side: np.exp(-(((points - eye - [0, 0.012, 0]) / 0.02) ** 2).sum(1))[:, None]
        for side, eye in zip(("left lid", "right lid"), EYES, strict=True)
    }
    return {
        "jaw": lips * [0, -0.02, 0],
        "corners": lips * np.stack([0.3 * points[:, 0], 0 * points[:, 0] + 0.006, 0 * points[:, 0]], 1),
        "round": lips * np.stack([-0.3 * points[:, 0], 0 * points[:, 0], 0 * points[:, 0] + 0.01], 1),
        "brows": np.exp(-(((points - [0, 0.03, 0.09]) / 0.03) ** 2).sum(1))[:, None] * [0, 0.008, 0],
        **{side: weight * [0, -0.015, 0] for side, weight in lid.items()},
    }[name]


def kind_of(name: str) -> str:
    """Return which of the moves stands for an ARKit target, a viseme or an expression in these heads."""
    low = name.lower()
    if "blink" in low:
        return "right lid" if low.endswith(("right", "_r")) else "left lid"
    if "brow" in low or low in ("surprised", "angry"):
        return "brows"
    if any(word in low for word in ("smile", "stretch", "dimple", "_e", "_i", "happy", "joy")):
        return "corners"
    return "round" if any(word in low for word in ("pucker", "funnel", "_u", "_o")) else "jaw"


@dataclass
class Rig:
    """How the head is exported. `targets`: names of morph targets; `scale` and `turn` about Y of it all."""

    targets: Sequence[str]
    extension: tuple[str, Callable[[dict[str, int]], dict[str, Any]]] | None = None
    bones: bool = True
    scale: float = 1.0
    turn: float = 0.0
    copyright: str = ""
    extras: dict[str, Any] = field(default_factory=dict)
    alpha: bool = False

    def encode(self) -> bytes:
        document = Document(self.copyright, quantise=False)
        document.json["asset"]["extras"] = self.extras
        c, s = np.cos(self.turn) * self.scale, np.sin(self.turn) * self.scale
        self._world = np.array([[c, 0, s], [0, self.scale, 0], [-s, 0, c]])
        self._nodes(document)
        document.json["textures"], document.json["images"] = [], []
        picture = np.full((8, 8, 4), 200, np.uint8)
        picture[:, :4, 3] = 0 if self.alpha else 255
        document.texture(_png(picture), "image/png")
        surface = {"baseColorTexture": {"index": 0}, "baseColorFactor": [1, 0.5, 0.5, 1]}
        document.json["materials"] = [
            {
                "name": "Skin",
                "pbrMetallicRoughness": surface,
                "alphaMode": "MASK" if self.alpha else "OPAQUE",
            },
            {"name": "EyeWhite", "pbrMetallicRoughness": {"baseColorFactor": [0.9, 0.9, 0.9, 1]}},
        ]
        self._mesh(document, "Face", *ball((0, -0.02, 0), (0.075, 0.11, 0.09), 22), bone=HEAD)
        for side, bone in ((0, LEFT), (1, RIGHT)):
            self._mesh(document, f"Eye{side}", *ball(EYES[side], (0.012,) * 3, 9), bone=bone)
        document.json["scenes"], document.json["scene"] = [{"nodes": self._roots}], 0
        if self.extension:
            name, make = self.extension
            indices = {target: i for i, target in enumerate(self.targets)}
            document.json["extensions"] = {name: make(indices)}
            document.json["extensionsUsed"] = [name]
        return document.encode()

    def _nodes(self, document: Document) -> None:
        names = ["Hips", "Neck", "Head", "LeftEye", "RightEye"] if self.bones else []
        places = [np.zeros(3), np.array([0, -0.16, 0]), np.array([0, -0.09, 0]), *EYES]
        parents = [-1, HIPS, NECK, HEAD, HEAD]
        nodes = []
        for name, place, parent in zip(names, places, parents, strict=False):
            own = place - (places[parent] if parent >= 0 else 0)
            nodes.append({"name": name, "translation": (self._world @ own).tolist()})
            if parent >= 0:
                nodes[parent].setdefault("children", []).append(len(nodes) - 1)
        document.json["nodes"], self._roots = nodes, [0] if nodes else []
        if self.bones:
            inverse = np.tile(np.eye(4, dtype=np.float32), (5, 1, 1))
            inverse[:, :3, 3] = [-(self._world @ place) for place in places]
            flat = inverse.transpose(0, 2, 1).reshape(5, 16)
            document.json["skins"] = [
                {"joints": list(range(5)), "inverseBindMatrices": document.accessor(flat, "MAT4")}
            ]

    def _mesh(self, document: Document, name: str, points: np.ndarray, faces: np.ndarray, bone: int) -> None:
        def vectors(rows: np.ndarray) -> int:
            return document.vertices((rows @ self._world.T).astype(np.float32))

        attributes = {"POSITION": vectors(points)}
        count, half = len(points), np.stack([points[:, 0] * 6 + 0.5, 0.5 - points[:, 1] * 4], 1)
        attributes["TEXCOORD_0"] = document.vertices(half.astype(np.float32))
        primitive: dict[str, Any] = {"indices": document.indices(faces), "material": int(name != "Face")}
        mesh: dict[str, Any] = {"name": name, "primitives": [primitive]}
        node: dict[str, Any] = {"name": name, "mesh": len(document.json["meshes"])}
        if self.bones:
            joints = np.tile(np.array([bone, 0, 0, 0], np.uint8), (count, 1))
            attributes["JOINTS_0"] = document.vertices(joints, plain=True)
            attributes["WEIGHTS_0"] = document.vertices(
                np.tile(np.array([1, 0, 0, 0], np.float32), (count, 1))
            )
            node["skin"] = 0
        primitive["attributes"] = attributes
        if name == "Face" and self.targets:
            primitive["targets"] = [{"POSITION": vectors(moves(points, kind_of(t)))} for t in self.targets]
            mesh["extras"] = {"targetNames": list(self.targets)}
        document.json["meshes"].append(mesh)
        self._roots.append(len(document.json["nodes"]))
        document.json["nodes"].append(node)


def _png(picture: np.ndarray) -> bytes:
    from io import BytesIO

    from PIL import Image

    data = BytesIO()
    Image.fromarray(picture).save(data, "PNG")
    return data.getvalue()


@pytest.fixture(scope="session")
def rig() -> type[Rig]:
    return Rig


@pytest.fixture
def arkit_head(tmp_path: Path) -> Path:
    """All 52 targets, spelt as Apple does, with a prefix as Maya exports it."""
    path = tmp_path / "arkit.glb"
    path.write_bytes(Rig([f"blendShape1.{name}" for name in ARKIT_NAMES], copyright="CC0 by nobody").encode())
    return path

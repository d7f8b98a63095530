"""The MakeHuman base mesh (hm08) and its targets, read from the pack `human`.

Everything in `mien.avatar.build` is in the base mesh's own unit, the decimetre, until the
parts are finished; Y up, Z out of the face, X to the character's left.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.masks import read_mask
from mien.errors import CorruptError, MissingError

Doubles = NDArray[np.float64]
Indices = NDArray[np.int64]

VERTICES = 19158
# Vertex ranges of the base mesh, end exclusive.
LEFT_EYE = slice(14598, 14670)
LOWER_TEETH = slice(14992, 15060)
UPPER_TEETH = slice(15060, 15128)
MOUTH_HELPERS = slice(13380, 15128)  # tongue, joints, eyes, lashes, teeth
# Joints: the centre of a cube of eight vertices.
JOINTS = {
    "left_eye": slice(13606, 13614),
    "right_eye": slice(13614, 13622),
    "head": slice(14070, 14078),
    "neck": slice(14534, 14542),
}


@dataclass(frozen=True, slots=True, eq=False)
class Human:
    """The base mesh: `vertices` (19158, 3) dm, `uvs` (21334, 2), `faces` by group: (F, 4, 2) quads of
    vertex and uv indices; `root`: the pack's folder.
    """

    root: Path
    vertices: Doubles
    uvs: Doubles
    faces: Mapping[str, Indices]

    def target(self, name: str) -> Doubles:
        """Return an identity target's deltas (19158, 3), e.g. `nose/nose-point-up`."""
        return read_target(self.root / "mpfb2" / "targets" / f"{name}.target.gz")

    def face_unit(self, name: str) -> Doubles:
        """Return an ARKit face unit's deltas (19158, 3)."""
        return read_target(self.root / "faceunits01" / "targets" / "faceunits" / f"{name}.target")

    def mask(self, name: str) -> Path:
        """Return the path of a grey mask over the base mesh's uv space."""
        return self.root / "mpfb2" / "textures" / f"mpfb_{name}.jpg"

    def at_vertices(self, mask: str) -> Doubles:
        """Return a grey mask at each vertex of the body (19158,), 0 elsewhere."""
        corners = self.faces["body"].reshape(-1, 2)
        values = np.zeros(VERTICES)
        values[corners[:, 0]] = read_mask(self.mask(mask), self.uvs[corners[:, 1]])
        return values

    def head_weights(self) -> Doubles:
        """Return how much each vertex follows the head (19158,): the rig's head bones, partly the neck's."""
        return _head_weights(self.root)


@lru_cache(maxsize=1)
def _head_weights(root: Path) -> Doubles:
    rig = root / "mpfb2" / "rigs" / "standard"
    weights = json.loads((rig / "weights.default.json").read_text("utf-8"))["weights"]
    bones = json.loads((rig / "rig.default.json").read_text("utf-8"))
    shares = dict.fromkeys(_descendants(bones.get("bones", bones), "head"), 1.0)
    shares |= {"neck01": 0.25, "neck02": 0.5, "neck03": 0.75}
    total = np.zeros(VERTICES)
    for bone, share in shares.items():
        for index, weight in weights.get(bone, []):
            total[index] += share * weight
    total[MOUTH_HELPERS] = 1
    total = np.clip(total, 0, 1)
    total.flags.writeable = False
    return total


def _descendants(bones: Mapping[str, Mapping[str, str]], root: str) -> list[str]:
    children = [name for name, bone in bones.items() if bone["parent"] == root]
    return [root, *(found for child in children for found in _descendants(bones, child))]


@cache
def read_human(root: Path) -> Human:
    """Read the base mesh under the pack's folder `root`."""
    path = root / "mpfb2" / "3dobjs" / "base.obj"
    if not path.is_file():
        raise MissingError(f"pack 'human' has no {path.name}; run: mien packs pull human")
    vertices: list[list[float]] = []
    uvs: list[list[float]] = []
    faces: dict[str, list[list[list[int]]]] = {}
    group: list[list[list[int]]] = []
    for line in path.read_text("ascii").splitlines():
        kind, *fields = line.split() or [""]
        if kind == "v":
            vertices.append([float(x) for x in fields[:3]])
        elif kind == "vt":
            uvs.append([float(x) for x in fields[:2]])
        elif kind == "g":
            group = faces.setdefault(fields[0], [])
        elif kind == "f":
            group.append([[int(i) - 1 for i in corner.split("/")[:2]] for corner in fields])
    if len(vertices) != VERTICES:
        raise CorruptError(
            f"{path.name} has {len(vertices)} vertices, not {VERTICES}; run: mien packs verify"
        )
    arrays = {name: np.array(quads, np.int64) for name, quads in faces.items() if quads}
    return Human(root, np.array(vertices), np.array(uvs), arrays)


def read_target(path: Path) -> Doubles:
    """Read a sparse target file (lines of `index dx dy dz`, decimetres) as dense deltas (19158, 3)."""
    rows, moves = _sparse_target(path)
    deltas = np.zeros((VERTICES, 3))
    deltas[rows] = moves
    return deltas


@lru_cache(maxsize=256)  # some 50 kB each: one person after another is built of mostly the same ones
def _sparse_target(path: Path) -> tuple[Indices, Doubles]:
    if not path.is_file():
        raise MissingError(f"pack 'human' has no target {path.name}; run: mien packs pull human")
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    lines = [line for line in text.decode("utf-8").splitlines() if not line.startswith("#")]
    numbers = np.fromstring(" ".join(lines), sep=" ").reshape(-1, 4)
    return numbers[:, 0].astype(np.int64), numbers[:, 1:]


def joint(vertices: Doubles, name: str) -> Doubles:
    """Return a joint's position (3,) in the given shape of the base mesh."""
    centre: Doubles = vertices[JOINTS[name]].mean(axis=0)
    return centre

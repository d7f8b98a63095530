"""The tree of nodes of a glTF file: where each stands, and which bones are head, neck and eyes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.avatar.files.fields import Table
from mien.errors import CorruptError, InputError

Doubles = NDArray[np.float64]

MOST_NODES = 20_000
# How rigs call their bones: Mixamo, Ready Player Me, VRoid, Character Creator, MakeHuman, Rigify.
_BONES = {
    "head": r"(mixamorig.?|j_bip_c_|cc_base_|bip\d*.?|def.?|org.?)?head",
    "neck": r"(mixamorig.?|j_bip_c_|cc_base_|bip\d*.?|def.?|org.?)?neck(\.?0?1|twist0?1)?",
    "leftEye": r"(.*[_.:])?(left_?eye|eye_?left|l_eye|eye[_.]?l|faceeye_l|j_adj_l_faceeye)",
    "rightEye": r"(.*[_.:])?(right_?eye|eye_?right|r_eye|eye[_.]?r|faceeye_r|j_adj_r_faceeye)",
}


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """`world` (N, 4, 4): from each node's own space; `parents`: -1 at a root; `shown`: nodes of the scene;
    `bones`: node of `head`, `neck`, `leftEye`, `rightEye`, where there is one.
    """

    names: tuple[str, ...]
    world: Doubles
    parents: tuple[int, ...]
    shown: tuple[int, ...]
    bones: Mapping[str, int]

    def below(self, root: int) -> set[int]:
        """Return a node and all under it."""
        inside: dict[int, bool] = {-1: False, root: True}
        for node in range(len(self.parents)):
            way = []
            while node not in inside:
                way.append(node)
                node = self.parents[node]
            inside |= dict.fromkeys(way, inside[node])
        return {node for node, is_below in inside.items() if is_below}

    def line(self, node: int) -> Iterator[int]:
        """Yield a node and all above it."""
        while node >= 0:
            yield node
            node = self.parents[node]

    def place(self, bone: str) -> Doubles | None:
        """Return where a bone stands (3,), or None."""
        return self.world[self.bones[bone], :3, 3] if bone in self.bones else None


def read_nodes(root: Table, humanoid: Mapping[str, int]) -> Nodes:
    """Read all nodes; `humanoid`: bones that the file itself names (VRM).

    Raises `CorruptError` for a node that is its own parent, or has two.
    """
    rows = root.tables("nodes")
    if len(rows) > MOST_NODES:
        raise InputError(f"{root.where}: {len(rows):,} nodes; the most is {MOST_NODES:,}; simplify the scene")
    parents = _parents(rows)
    order = _downwards(rows, parents)
    world = np.tile(np.eye(4), (len(rows), 1, 1))
    for node in order:
        own = _matrix(rows[node])
        world[node] = world[parents[node]] @ own if parents[node] >= 0 else own
    if not np.isfinite(world).all():
        raise CorruptError(f"{root.where}: its nodes stand beyond all numbers; export it again")
    names = tuple(row.text("name") for row in rows)
    bones = {**_by_name(names), **{bone: node for bone, node in humanoid.items() if node < len(rows)}}
    return Nodes(names, world, tuple(parents), tuple(_shown(root, parents, order)), bones)


def _parents(rows: Sequence[Table]) -> list[int]:
    parents = [-1] * len(rows)
    for node, row in enumerate(rows):
        for child in row.wholes("children"):
            if child >= len(rows):
                raise CorruptError(f"{row.where}: no child {child}; there are {len(rows)} nodes")
            if parents[child] >= 0:
                raise CorruptError(f"{row.where}: node {child} hangs on two others; export the file again")
            parents[child] = node
    return parents


def _downwards(rows: Sequence[Table], parents: Sequence[int]) -> list[int]:
    """Return every node after its parent; raises `CorruptError` for a circle."""
    order = [node for node, parent in enumerate(parents) if parent < 0]
    for node in order:
        order.extend(rows[node].wholes("children"))
    if len(order) != len(rows):
        lost = min(set(range(len(rows))) - set(order))
        raise CorruptError(f"{rows[lost].where}: hangs on itself in a circle; export the file again")
    return order


def _matrix(row: Table) -> Doubles:
    if "matrix" in row:
        return np.array(row.numbers("matrix", tuple(np.eye(4).ravel()))).reshape(4, 4).T
    out = np.eye(4)
    turn = rotation(np.array(row.numbers("rotation", (0.0, 0.0, 0.0, 1.0))))
    out[:3, :3] = turn * np.array(row.numbers("scale", (1.0, 1.0, 1.0)))
    out[:3, 3] = row.numbers("translation", (0.0, 0.0, 0.0))
    return out


def rotation(quaternion: Doubles) -> Doubles:
    """Return the matrix (3, 3) of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = quaternion / max(float(np.linalg.norm(quaternion)), 1e-12)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _by_name(names: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for bone, pattern in _BONES.items():
        for node, name in enumerate(names):
            if re.fullmatch(pattern, name.strip().lower()) and bone not in found:
                found[bone] = node
    return found


def _shown(root: Table, parents: Sequence[int], order: Sequence[int]) -> Iterator[int]:
    """Yield the nodes of the scene that is shown, or all of them where none is named."""
    if not root.tables("scenes"):
        yield from order
        return
    tops = set(root.row("scenes", root.whole("scene", 0)).wholes("nodes"))
    inside: set[int] = set()
    for node in order:
        if node in tops or parents[node] in inside:
            inside.add(node)
            yield node

"""The meshes of a glTF file as they stand in its rest pose, with morph targets and what the bones move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.geometry import unit, vertex_normals
from mien.avatar.files.accessors import Accessors
from mien.avatar.files.fields import Table, printable
from mien.avatar.foreign.nodes import Nodes
from mien.errors import CorruptError, InputError

Doubles = NDArray[np.float64]
Indices = NDArray[np.int64]

MOST_TRIANGLES = 600_000
MOST_TARGETS = 1000  # of one mesh
FURTHEST = 1e6  # of any coordinate, in the file's own unit
MOST_DELTAS = 40_000_000  # rows of all targets together
TRIANGLES = 4
_TEXT_NAME = "target_{}"


@dataclass(slots=True, eq=False)
class Mesh:
    """One primitive: `positions`, `normals` (V, 3), `uvs` (V, 2) from the upper left, `colors` (V, 3),
    `triangles` (F, 3). `targets`: moves (V, 3) by name. `pull` (V,) by bone: how much it follows `head`,
    `neck`, `leftEye`, `rightEye`. `mesh`, `node`, `material`: indices in the file; no material: -1.
    """

    name: str
    node: int
    mesh: int
    material: int
    positions: Doubles
    normals: Doubles
    uvs: Doubles
    colors: Doubles
    triangles: Indices
    targets: dict[str, Doubles] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    pull: dict[str, Doubles] = field(default_factory=dict)


def read_meshes(root: Table, accessors: Accessors, nodes: Nodes) -> list[Mesh]:
    """Read every mesh that is shown; raises `CorruptError` and `InputError` (too large)."""
    out: list[Mesh] = []
    triangles = moves = 0
    for node in nodes.shown:
        row = root.row("nodes", node)
        if "mesh" in row:
            for mesh in _of_node(root, accessors, nodes, node, row):
                out.append(mesh)
                triangles += len(mesh.triangles)
                moves += len(mesh.positions) * len(mesh.targets)
                _limit(root, triangles, moves)
    if not out:
        raise InputError(f"{root.where}: holds no triangles; give a file with a head")
    return out


def _limit(root: Table, triangles: int, moves: int) -> None:
    if triangles > MOST_TRIANGLES or moves > MOST_DELTAS:
        raise InputError(
            f"{root.where}: {triangles:,} triangles, {moves:,} rows of targets; the most is "
            f"{MOST_TRIANGLES:,} and {MOST_DELTAS:,}; simplify the head"
        )


def _of_node(root: Table, accessors: Accessors, nodes: Nodes, node: int, row: Table) -> Iterator[Mesh]:
    number = row.whole("mesh")
    mesh = root.row("meshes", number)
    for part, primitive in enumerate(mesh.tables("primitives")):
        if primitive.whole("mode", TRIANGLES) != TRIANGLES or "POSITION" not in primitive.table("attributes"):
            continue
        found = _read(accessors, mesh, primitive)
        found.name = f"{mesh.text('name') or row.text('name') or 'mesh'}{f'_{part}' if part else ''}"
        found.node, found.mesh = node, number
        attributes = primitive.table("attributes")
        if "skin" in row and "JOINTS_0" in attributes and "WEIGHTS_0" in attributes:
            _skin(root.row("skins", row.whole("skin")), accessors, nodes, attributes, found)
        else:
            _rigid(nodes, node, found)
        yield found


def _read(accessors: Accessors, mesh: Table, primitive: Table) -> Mesh:
    attributes = primitive.table("attributes")
    positions = accessors.floats(attributes.whole("POSITION"), "VEC3")
    count = len(positions)
    triangles = _triangles(accessors, primitive, count)

    def rows(name: str, kind: str, default: Doubles) -> Doubles:
        if name not in attributes:
            return default
        found = accessors.floats(attributes.whole(name), kind)
        if len(found) != count:
            raise CorruptError(
                f"{attributes.where}: {len(found):,} {name}, {count:,} positions; export it again"
            )
        return found

    normals = rows("NORMAL", "VEC3", np.zeros((0, 3)))
    uvs = rows("TEXCOORD_0", "VEC2", np.zeros((count, 2)))
    colors = rows("COLOR_0", accessors.kind(attributes.whole("COLOR_0", 0)), np.ones((count, 3)))
    out = Mesh(
        name="", node=-1, mesh=-1, material=primitive.whole("material", -1, low=-1),
        positions=positions, normals=normals, uvs=uvs, colors=colors[:, :3], triangles=triangles,
    )  # fmt: skip
    if not len(normals):
        out.normals = vertex_normals(positions, triangles)
    out.order = tuple(target_names(mesh, primitive))
    for name, target in zip(out.order, primitive.tables("targets"), strict=True):
        if "POSITION" in target:
            moves = accessors.floats(target.whole("POSITION"), "VEC3")
            if len(moves) != count:
                raise CorruptError(
                    f"{target.where}: {len(moves):,} moves, {count:,} positions; export it again"
                )
            if moves.any():
                out.targets[name] = moves
    return out


def _triangles(accessors: Accessors, primitive: Table, count: int) -> Indices:
    if "indices" in primitive:
        flat = accessors.wholes(primitive.whole("indices"), "SCALAR")[:, 0]
    else:
        flat = np.arange(count)
    if len(flat) % 3 or (len(flat) and flat.max() >= count):
        raise CorruptError(
            f"{primitive.where}: its triangles name vertices that are not there; export it again"
        )
    return flat.reshape(-1, 3)


def target_names(mesh: Table, primitive: Table) -> list[str]:
    """Return the names of a primitive's targets, wherever the exporter put them."""
    targets = primitive.tables("targets")
    if len(targets) > MOST_TARGETS:
        raise InputError(f"{primitive.where}: {len(targets):,} targets; the most is {MOST_TARGETS:,}")
    names: list[str] = []
    for extras in (mesh.values.get("extras"), primitive.values.get("extras")):
        if isinstance(extras, dict) and isinstance(extras.get("targetNames"), list):
            names = names or [printable(str(name)) for name in extras["targetNames"]]
    out: list[str] = []
    for i, target in enumerate(targets):
        own = target.values.get("extras")
        inside = own.get("name") if isinstance(own, dict) else None
        name = names[i] if i < len(names) else str(inside or _TEXT_NAME.format(i))
        out.append(printable(name) if name not in out else f"{printable(name)}#{i}")
    return out


def _rigid(nodes: Nodes, node: int, mesh: Mesh) -> None:
    """Put a mesh where its node stands."""
    _transform(mesh, np.broadcast_to(nodes.world[node], (len(mesh.positions), 4, 4)))
    above = set(nodes.line(node)) if nodes.bones else set()
    for bone, number in nodes.bones.items():
        mesh.pull[bone] = np.full(len(mesh.positions), float(number in above))


def _skin(skin: Table, accessors: Accessors, nodes: Nodes, attributes: Table, mesh: Mesh) -> None:
    """Put a mesh where its bones hold it, and note which of them do."""
    joints, count = skin.wholes("joints"), len(mesh.positions)
    if not joints or max(joints) >= len(nodes.names):
        raise CorruptError(f"{skin.where}: names bones that are not there; export the file again")
    held = nodes.world[joints]
    if "inverseBindMatrices" in skin:
        inverse = accessors.floats(skin.whole("inverseBindMatrices"), "MAT4").reshape(-1, 4, 4)
        if len(inverse) < len(joints):
            raise CorruptError(
                f"{skin.where}: {len(inverse)} matrices for {len(joints)} bones; export it again"
            )
        held = held @ inverse[: len(joints)].transpose(0, 2, 1)
    follows = {bone: _follows(nodes, joints, number) for bone, number in nodes.bones.items()}
    matrices, total = np.zeros((count, 4, 4)), np.zeros(count)
    mesh.pull = {bone: np.zeros(count) for bone in follows}
    for numbers, weights in _lanes(accessors, attributes, count, len(joints)):
        matrices += weights[:, None, None] * held[numbers]
        total += weights
        for bone, share in follows.items():
            mesh.pull[bone] += weights * share[numbers]
    total = np.maximum(total, 1e-9)
    mesh.pull = {bone: share / total for bone, share in mesh.pull.items()}
    _transform(mesh, matrices / total[:, None, None])


def _lanes(
    accessors: Accessors, attributes: Table, count: int, bones: int
) -> Iterator[tuple[Indices, Doubles]]:
    """Yield for each of the four or eight bones of every vertex which it is (V,) and its weight (V,)."""
    for group in range(2):
        if f"JOINTS_{group}" not in attributes:
            break
        numbers = accessors.wholes(attributes.whole(f"JOINTS_{group}"), "VEC4")
        weights = accessors.floats(attributes.whole(f"WEIGHTS_{group}"), "VEC4")
        if len(numbers) != count or len(weights) != count or numbers.max(initial=0) >= bones:
            raise CorruptError(
                f"{attributes.where}: its bones and vertices do not fit; export the file again"
            )
        yield from zip(numbers.T, weights.T, strict=True)


def _follows(nodes: Nodes, joints: Sequence[int], bone: int) -> Doubles:
    below = nodes.below(bone)
    return np.array([float(joint in below) for joint in joints])


def _transform(mesh: Mesh, matrices: Doubles) -> None:
    """Apply a matrix (V, 4, 4) to each vertex."""
    turn = np.clip(matrices[:, :3, :3], -FURTHEST, FURTHEST)
    mesh.positions = np.einsum("vij,vj->vi", turn, mesh.positions) + np.clip(
        matrices[:, :3, 3], -FURTHEST, FURTHEST
    )
    mesh.normals = unit(np.einsum("vij,vj->vi", turn, mesh.normals))
    mesh.targets = {name: np.einsum("vij,vj->vi", turn, moves) for name, moves in mesh.targets.items()}
    largest = max(np.abs(rows).max(initial=0) for rows in (mesh.positions, *mesh.targets.values()))
    if not largest < FURTHEST:
        raise CorruptError(f"mesh {mesh.name!r} lies beyond all measure; export the file again")
    if np.linalg.det(turn[:1])[0] < 0:  # mirrored
        mesh.triangles = mesh.triangles[:, ::-1]


def all_targets(meshes: Sequence[Mesh]) -> Mapping[str, list[int]]:
    """Return which meshes have each target."""
    found: dict[str, list[int]] = {}
    for number, mesh in enumerate(meshes):
        for name in mesh.targets:
            found.setdefault(name, []).append(number)
    return found

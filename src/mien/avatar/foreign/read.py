"""A foreign file becomes an `Avatar`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.draft import METRES, Draft, draft
from mien.avatar.build.geometry import vertex_normals
from mien.avatar.build.light import bake
from mien.avatar.files.accessors import Accessors
from mien.avatar.files.container import Source, open_file
from mien.avatar.files.pictures import read_picture
from mien.avatar.foreign import cutout, surface
from mien.avatar.foreign.fit import LOWEST, Fit, fit, looks
from mien.avatar.foreign.licence import licence
from mien.avatar.foreign.meshes import Mesh, read_meshes
from mien.avatar.foreign.nodes import Nodes, read_nodes
from mien.avatar.foreign.retarget import Moves, Plan, Targets, compose, plan
from mien.avatar.foreign.vrm import Vrm, read_vrm
from mien.avatar.model import Avatar
from mien.errors import InputError
from mien.progress import Progress, silent

Doubles = NDArray[np.float64]

LIMITS = {
    "Up": 0.171,
    "Down": 0.199,
    "In": 0.262,
    "Out": 0.262,
}  # radians of a whole eyeLook: see `face.gaze`
FLAT_REACH = 0.9  # a rig that lets its eyes turn less has flat eyes, which turn by targets
HIDDEN = (0.24, 0.40)  # openness at least, jaw closed and half open: light falls in through the lips
_SMALLEST_MOVE = 2e-5  # metres


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """A file as read: what it holds, and how each ARKit target is made of it."""

    source: Source
    accessors: Accessors
    vrm: Vrm
    nodes: Nodes
    meshes: list[Mesh]
    targets: Targets
    plans: dict[str, Plan]


def open_rig(path: Path) -> Rig:
    """Read a file's skeleton, meshes and targets; raises as `read` does."""
    with np.errstate(all="ignore"):  # whatever numbers come of a broken file are looked at afterwards
        return _open_rig(path)


def _open_rig(path: Path) -> Rig:
    source = open_file(path)
    accessors, vrm = Accessors(source), read_vrm(source.root)
    nodes = read_nodes(source.root, vrm.bones)
    meshes = read_meshes(source.root, accessors, nodes)
    targets = Targets(meshes, vrm)
    return Rig(source, accessors, vrm, nodes, meshes, targets, plan(targets))


def read(path: Path | str, progress: Progress = silent) -> Avatar:
    """Return a foreign head (`.glb`, `.vrm`, `.gltf`) with the 52 ARKit targets, as far as its own reach.

    Raises `MissingError` when the file is not there, `InputError` when it has no face or is refused,
    `CorruptError` when it is broken.
    """
    path = Path(path)
    progress("reading the head", 0.0)
    rig = open_rig(path)
    fitted = fit(rig.meshes, rig.nodes, rig.targets, path.name)
    shapes = compose(rig.targets, rig.plans, [mesh.positions for mesh in rig.meshes])
    flat = rig.vrm.reach < FLAT_REACH or "leftEye" not in rig.nodes.bones
    if flat:
        shapes |= looks(fitted, rig.meshes, rig.vrm.reach, LIMITS)
    if not any(shapes[name] for name in ("jawOpen", "mouthFunnel", "mouthClose")):
        raise InputError(f"{path.name}: no target moves its mouth; see: mien avatar check {path}")
    progress("painting the head", 0.2)
    drafts, atlas = _drafts(rig, fitted, shapes, flat=flat)
    bake(drafts, lambda share: progress("baking light", 0.3 + 0.7 * share))
    for part in drafts:
        part.occlusion = np.maximum(part.occlusion, HIDDEN)
    return _finish(path, rig, fitted, drafts, atlas.picture)


def _drafts(
    rig: Rig, fitted: Fit, shapes: Mapping[str, Moves], *, flat: bool
) -> tuple[list[Draft], surface.Atlas]:
    pieces = []
    for number, mesh in enumerate(rig.meshes):
        look = surface.surface(rig.source.root, mesh, comic=bool(rig.vrm.version))
        for kind, triangles in _pieces(
            mesh, fitted.eye_weights[number], look.material, turns=not flat, shapes=shapes, number=number
        ):
            pieces.append((number, look, kind, triangles))
    root = rig.source
    atlas = surface.make_atlas(
        [(look, kind.partition(":")[0]) for _, look, kind, _ in pieces],
        lambda texture, side: read_picture(root, rig.accessors, texture, side),
    )
    out: list[Draft] = []
    for number, look, kind, triangles in pieces:
        made = _draft(rig.meshes[number], number, fitted, look, kind, triangles, shapes, atlas)
        if len(made.triangles):
            made.name = f"{len(out):02d} {made.name}"
            out.append(made)
    return out, atlas


def _pieces(
    mesh: Mesh,
    eyes: Sequence[Doubles],
    material: str,
    *,
    turns: bool,
    shapes: Mapping[str, Moves],
    number: int,
) -> list[tuple[str, NDArray[np.int64]]]:
    """Return a mesh's triangles by material, `eyeball:0` the left and `eyeball:1` the right one apart."""
    above = mesh.triangles[(mesh.positions[mesh.triangles][..., 1] > LOWEST).any(axis=1)]
    own = any(number in moves for name, moves in shapes.items() if name.startswith("eyeLookOut"))
    if not turns or own:
        return [(material, above)]
    side = np.where((eyes[0] > 0.5)[above].all(axis=1), 0, np.where((eyes[1] > 0.5)[above].all(axis=1), 1, 2))
    kinds = ("eyeball:0", "eyeball:1", material)
    return [(kind, above[side == i]) for i, kind in enumerate(kinds) if (side == i).any()]


def _draft(
    mesh: Mesh, number: int, fitted: Fit, look: surface.Surface, kind: str, triangles: NDArray[np.int64],
    shapes: Mapping[str, Moves], atlas: surface.Atlas,
) -> Draft:  # fmt: skip
    material, _, side = kind.partition(":")
    extra = np.zeros((len(mesh.positions), 4))
    extra[:, 3] = float(side or 0)
    uvs = surface.unrepeated(mesh.uvs * look.stretch + look.shift, triangles)
    color = np.ones((1, 3)) if material == "skin" else mesh.colors * look.color
    moves = {name: rows[number] for name, rows in shapes.items() if number in rows}
    made = draft(
        re.sub(r"[^\w -]", "_", mesh.name)[:40], material, mesh.positions / METRES, triangles, uvs=uvs,
        color=color, extra=extra, head_weight=fitted.head_weights[number],
        morphs={n: rows / METRES for n, rows in moves.items() if np.abs(rows).max() > _SMALLEST_MOVE},
        two_sided=look.two_sided,
    )  # fmt: skip
    made.normals = mesh.normals
    made.keep(triangles)
    if look.cutoff and look.texture >= 0:
        cutout.cut(made, atlas.alpha[look.texture], look.cutoff)
    if len(made.triangles):
        _find_turns(made)
        made.uvs = atlas.place(made.uvs, look, material)
    return made


def _find_turns(made: Draft) -> None:
    """Find how the normals turn with each target; the ones at rest are the file's own."""
    _, first, weld = np.unique(made.positions.round(6), axis=0, return_index=True, return_inverse=True)
    owner = first[weld.ravel()]
    rest = vertex_normals(made.positions, made.triangles, owner)
    made.turns = {
        name: vertex_normals(made.positions + moves, made.triangles, owner) - rest
        for name, moves in made.morphs.items()
    }


def _finish(path: Path, rig: Rig, fitted: Fit, drafts: list[Draft], picture: NDArray[np.uint8]) -> Avatar:
    origin = np.zeros(3)
    return Avatar(
        name=path.stem,
        parts=tuple(made.finish(origin) for made in drafts),
        skin=picture,
        eye_centers=fitted.eyes.astype(np.float32),
        eye_radius=fitted.radius,
        pivot=fitted.pivot.astype(np.float32),
        iris=np.full((2, 3), 0.1, np.float32),
        credits=licence(rig.source.root, rig.vrm),
    )

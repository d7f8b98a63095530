"""Heads as GLB (binary glTF 2.0): 52 morph targets by their ARKit names, and a track as an animation.

Positions and targets are quantised (KHR_mesh_quantization) and targets are sparse, which makes a head some
3 MB. glTF knows no sound: keep the voice beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.atomic import write_bytes
from mien.avatar import correctives
from mien.avatar.files import light, motion
from mien.avatar.files.document import Document, Json
from mien.avatar.files.extras import add_recipe
from mien.avatar.files.order import ordered
from mien.avatar.files.slim import STRANDS, slim
from mien.avatar.model import Avatar, Morph, Part
from mien.errors import require
from mien.face.pose import ARKIT_NAMES, FaceTrack

Floats = NDArray[np.float32]
Textures = Mapping[str, Mapping[str, int]]

ROUGHNESS = {
    "skin": 0.55,
    "eye": 0.1,
    "teeth": 0.25,
    "tongue": 0.35,
    "hair": 0.5,
    "strand": 0.8,
    "cloth": 0.9,
    "plain": 0.8,
    "eyeball": 0.1,
}
BODY, HEAD, FIRST_PART = 0, 1, 2  # nodes
JPEG_QUALITY, FINE_QUALITY = 77, 60  # of colours; of gloss and relief
STEP, COARSE_STEP = 5e-5, 1e-4  # metres of one step of a coordinate, at least; of small files
SMALLEST_MOVE = 1e-4  # metres; targets leave out what moves less
IRIS = 0.465  # radius on the unit eyeball
PUPIL = 0.37  # of the iris


def write(
    path: Path | str,
    avatar: Avatar,
    track: FaceTrack | None = None,
    rate_hz: float = 30.0,
    *,
    compress: bool = False,
    recipe: str = "",
) -> None:
    """Write a head, with `track` as its animation at `rate_hz`, whole or not at all.

    `compress`: with meshopt, which halves the file; three.js and most engines read it, Blender does not.
    `recipe`: the TOML of the person, which lets mien wear the file as well as the head that it is made of.

    Raises `ResourceError` when the file can not be written, `MissingError` without Pillow.
    """
    write_bytes(Path(path), encode(avatar, track, rate_hz, compress=compress, recipe=recipe))


def encode(
    avatar: Avatar,
    track: FaceTrack | None = None,
    rate_hz: float = 30.0,
    *,
    compress: bool = False,
    recipe: str = "",
) -> bytes:
    """Return a head, with `track` as its animation at `rate_hz`, as GLB; see `write`."""
    document = document_of(avatar, compress=compress)
    if track is not None and len(track):
        motion.animate(document, HEAD, track, rate_hz)
    if recipe:
        add_recipe(document, recipe)
    return document.encode()


def document_of(avatar: Avatar, *, quantise: bool = True, compress: bool = False) -> Document:
    """Return a head as a document that can still grow; nodes `BODY` and `HEAD` come first."""
    scale = _extent(avatar, COARSE_STEP if compress else STEP) if quantise else 1.0
    document = Document(avatar.credits, quantise=quantise, compress=compress)
    textures = _textures(document, avatar)
    document.json["nodes"] = [
        {"name": "Body", "children": [HEAD]},
        {"name": "Head", "translation": avatar.pivot.tolist(), "children": []},
    ]
    document.json["skins"] = [{"joints": [BODY, HEAD], "inverseBindMatrices": _bind(document, avatar, scale)}]
    for part in map(ordered, map(slim, avatar.parts)) if compress else avatar.parts:
        _add_part(document, avatar, part, scale, textures)
    nodes = document.json["nodes"]
    roots = [i for i in range(len(nodes)) if i not in (HEAD, *nodes[HEAD]["children"])]
    document.json["scenes"], document.json["scene"] = [{"name": avatar.name, "nodes": roots}], 0
    return document


def _extent(avatar: Avatar, step: float = STEP) -> float:
    """Return what the quantised range stands for, metres: at least the largest coordinate or move."""
    largest = [np.abs(part.positions).max() for part in avatar.parts]
    moves = [np.abs(m.positions).max() for part in avatar.parts for m in part.morphs.values()]
    return float(max(*largest, *moves, step * 32767))


def _bind(document: Document, avatar: Avatar, scale: float) -> int:
    """Add the inverse bind matrices, which also undo the quantisation."""
    matrices = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    matrices[1, :3, 3] = -avatar.pivot
    matrices = matrices @ np.diag(np.array([scale, scale, scale, 1], np.float32))
    return document.accessor(matrices.transpose(0, 2, 1).reshape(2, 16), "MAT4")


def _add_part(document: Document, avatar: Avatar, part: Part, scale: float, textures: Textures) -> None:
    """Add a part as mesh and node; an eyeball hangs on the head, about its own centre, to be turned."""
    is_eye = part.material in ("eye", "eyeball")
    centre = avatar.eye_centers[int(part.extra[0, 3] > 0.5)] if is_eye else np.zeros(3, np.float32)
    tint, shade = _colors(part)
    attributes = {
        "POSITION": document.vertices(document.coordinates(part.positions - centre, scale)),
        "NORMAL": document.vertices(document.directions(part.normals)),
        "COLOR_0": document.vertices(np.round(shade * 255).astype(np.uint8)),
    }
    if part.material in textures:
        flipped = np.clip(np.stack([part.uvs[:, 0], 1 - part.uvs[:, 1]], 1), 0, 1)
        attributes["TEXCOORD_0"] = document.vertices(np.round(flipped * 65535).astype(np.uint16))
    if not is_eye:
        attributes |= _joints(document, part)
    if document.quantise:
        attributes |= light.attributes(document, part)
    primitive: Json = {
        "attributes": attributes,
        "indices": document.indices(part.triangles),
        "material": _material(document, avatar, part, tint, textures.get(part.material, {})),
    }
    mesh: Json = {"name": part.name, "primitives": [primitive]}
    if part.morphs:
        names = _names(document, avatar)
        primitive["targets"] = [_target(document, part, name, scale) for name in names]
        mesh |= {"weights": [0.0] * len(names), "extras": {"targetNames": names}}
        document.flush()
    document.json["meshes"].append(mesh)
    node: Json = {"name": part.name, "mesh": len(document.json["meshes"]) - 1}
    if is_eye:
        node |= {"translation": (centre - avatar.pivot).tolist(), "scale": [scale] * 3}
        document.json["nodes"][HEAD]["children"].append(len(document.json["nodes"]))
    else:
        node["skin"] = 0
    document.json["nodes"].append(node)


def _names(document: Document, avatar: Avatar) -> list[str]:
    """Return the targets of each mesh: ARKit's, and correctives, which VRM's expressions could not drive."""
    return [*ARKIT_NAMES, *(correctives.names_of(avatar) if document.quantise else ())]


def _joints(document: Document, part: Part) -> dict[str, int]:
    weight = np.round(part.head_weight * 255).astype(np.uint8)
    none = np.zeros_like(weight)
    return {
        "JOINTS_0": document.vertices(
            np.stack([none, (weight > 0).astype(np.uint8), none, none], 1), plain=True
        ),
        "WEIGHTS_0": document.vertices(np.stack([255 - weight, weight, none, none], 1)),
    }


def _colors(part: Part) -> tuple[Floats, Floats]:
    """Return the brightest colour (4,) and by vertex the share of it (V, 4): albedo, darker where little
    light comes. Eight bits would be too few for dark cloth without the first.
    """
    column = 1 if part.material in ("teeth", "tongue") else 0
    light = 0.2 + 0.8 * part.occlusion[:, column : column + 1]
    colors = np.concatenate([np.clip(part.color * light, 0, 1), np.ones_like(light)], axis=1)
    brightest = np.maximum(colors.max(axis=0), 1e-3)
    return brightest, colors / brightest


def _target(document: Document, part: Part, name: str, scale: float) -> dict[str, int]:
    """Add one morph target, sparse; one that does not move the part shares an accessor of zeros."""
    empty = Morph(np.zeros(0, np.int32), np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))
    morph, count = part.morphs.get(name, empty), len(part.positions)
    kept = np.abs(morph.positions).max(axis=1, initial=0) > SMALLEST_MOVE
    moves = document.coordinates(morph.positions[kept], scale)
    turns = document.directions(morph.normals[kept])
    places = None
    if document.compress and kept.any():
        moves, turns = (_dense(count, morph.indices[kept], rows) for rows in (moves, turns))
    elif kept.any():
        places = document.places(morph.indices[kept], count)
    position = document.sparse(count, places, moves)
    if document.compress and part.material in STRANDS:  # they are shaded as what they grow on
        return {"POSITION": position}
    if correctives.is_corrective(name):  # their normals would make small files large
        return {
            "POSITION": position,
            "NORMAL": document.sparse(count, None, document.directions(empty.normals)),
        }
    return {"POSITION": position, "NORMAL": document.sparse(count, places, turns)}


def _dense(count: int, indices: NDArray[np.int32], rows: NDArray[Any]) -> NDArray[Any]:
    whole = np.zeros((count, 3), rows.dtype)
    whole[indices] = rows
    return whole


def _material(
    document: Document, avatar: Avatar, part: Part, tint: Floats, textures: Mapping[str, int]
) -> int:
    rough = 1.0 if "metallicRoughnessTexture" in textures else ROUGHNESS[part.material]
    surface: Json = {"metallicFactor": 0.0, "roughnessFactor": rough, "baseColorFactor": tint.tolist()}
    material: Json = {"name": part.name, "pbrMetallicRoughness": surface, "doubleSided": part.two_sided}
    for name, index in textures.items():
        (material if name == "normalTexture" else surface)[name] = {"index": index}
    if document.quantise:
        material["extras"] = light.about(part, avatar)
    document.json["materials"].append(material)
    return len(document.json["materials"]) - 1


def _textures(document: Document, avatar: Avatar) -> Textures:
    """Add the textures; return them by material and by what they are to it."""
    skin = {"baseColorTexture": _jpeg(document, avatar.skin[..., :3])}
    eye = document.texture(_picture(iris_picture(avatar.iris), "PNG"), "image/png")
    own = dict(skin)
    if document.quantise and any(part.material == "skin" for part in avatar.parts):
        own["metallicRoughnessTexture"] = _jpeg(document, light.rough(avatar), FINE_QUALITY)
        if (relief := light.relief(avatar)) is not None:
            own["normalTexture"] = _jpeg(document, relief, FINE_QUALITY)
    return {"skin": own, "plain": skin, "eyeball": skin, "eye": {"baseColorTexture": eye}}


def _jpeg(document: Document, pixels: NDArray[np.uint8], quality: int = JPEG_QUALITY) -> int:
    return document.texture(_picture(pixels, "JPEG", quality=quality, subsampling=0), "image/jpeg")


def _picture(pixels: NDArray[np.uint8], kind: str, **options: int) -> bytes:
    image = require("PIL.Image", extra="video")
    data = BytesIO()
    image.fromarray(np.ascontiguousarray(pixels)).save(data, kind, **options)
    return data.getvalue()


def iris_picture(iris: Floats, size: int = 256) -> NDArray[np.uint8]:
    """Return an eyeball seen from the front (size, size, 3), sRGB: pupil, fibres, limbal ring, white."""
    x, y = np.meshgrid(*[np.linspace(-1, 1, size)] * 2)
    radius, angle = np.hypot(x, y) / IRIS, np.arctan2(y, x)
    fibres = (
        0.5 + 0.25 * np.sin(angle * 23 + 1.3 * np.sin(angle * 7 + radius * 5)) + 0.25 * np.sin(angle * 61)
    )
    ring = 1 - 0.75 * np.clip((radius - 0.78) / 0.22, 0, 1)
    pupil = np.clip((radius - PUPIL + 0.03) / 0.06, 0, 1)
    mix = np.clip((radius - 0.28) / 0.67, 0, 1)[..., None]
    color = (iris[0] + (iris[1] - iris[0]) * mix) * ((0.6 + 0.75 * fibres) * ring * pupil)[..., None]
    inside = np.clip((1.08 - radius) / 0.15, 0, 1)[..., None]
    linear = np.array([0.80, 0.775, 0.75]) * (1 - inside) + color * inside
    return np.asarray(np.round(np.clip(linear, 0, 1) ** (1 / 2.2) * 255), np.uint8)

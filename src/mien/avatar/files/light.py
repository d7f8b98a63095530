"""What mien's own shaders need of a head beyond glTF's materials; other readers skip it.

Attributes `_LIGHT` (openness, jaw closed and half open; visibility of the key light, likewise) and `_EXTRA`
(`Part.extra`; an eye's points over `EYE`), `TANGENT` of skin, and `extras.mien` of each material: its `kind`,
and of eyes the `iris`. Gloss and relief of skin are pictures that every reader understands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.files.document import Document, Json
from mien.avatar.model import Avatar, Part
from mien.avatar.render import streaks, tangents

Bytes = NDArray[np.uint8]
EYE = 1.1  # what a coordinate of 1 on the unit eyeball is divided by: the cornea stands out
_QUARTER = np.float32(0.25)
SIDE = 512  # texels of a side of gloss and relief


def attributes(document: Document, part: Part) -> dict[str, int]:
    """Add what the light needs of each vertex."""
    baked = np.clip(np.hstack([part.occlusion, part.key_light]), 0, 1)
    added = {"_LIGHT": document.vertices(np.round(baked * 255).astype(np.uint8))}
    if part.material == "eye":
        extra = np.hstack([part.extra[:, :3] / EYE, part.extra[:, 3:]])
        added["_EXTRA"] = document.vertices(np.round(extra * 32767).astype(np.int16))
    elif part.material in ("skin", "hair"):
        extra = part.extra * (1, 1, 1, 0)  # nothing needs the seed of a strand
        added["_EXTRA"] = document.vertices(np.clip(np.round(extra * 127), -127, 127).astype(np.int8))
    if part.material == "skin":
        along = tangents.along(part)
        along[:, :3] /= np.maximum(np.linalg.norm(along[:, :3], axis=1, keepdims=True), 1e-9)
        along[np.abs(along[:, :3]).sum(axis=1) < 0.5, :3] = (1, 0, 0)
        added["TANGENT"] = document.vertices(document.directions(along))
    if part.material == "hair":
        kind = np.uint8 if document.compress else np.uint16  # a texel of the streaks is one of 256
        places = np.round(streaks.places(part) * np.iinfo(kind).max)
        added["TEXCOORD_0"] = document.vertices(places.astype(kind))
    return added


def about(part: Part, avatar: Avatar) -> Json:
    """Return what a material says of itself."""
    said: Json = {"kind": part.material}
    if part.material == "eye":
        said["iris"] = avatar.iris.tolist()
    return {"mien": said}


def rough(avatar: Avatar) -> Bytes:
    """Return the texture of roughness (H, W, 3): in green, 1 - gloss."""
    gloss = _smaller(avatar.skin[..., 3:])
    return np.concatenate([np.zeros_like(gloss), 255 - gloss, np.zeros_like(gloss)], axis=2)


def relief(avatar: Avatar) -> Bytes | None:
    """Return the texture of normals (H, W, 3), None for a head without relief."""
    if avatar.skin_detail is None:
        return None
    detail = _smaller(avatar.skin_detail)
    tilt = (detail.astype(np.float32) - 128) / 127
    up = np.sqrt(np.maximum(1 - (tilt**2).sum(axis=2, keepdims=True), 0))
    return np.concatenate([detail, np.round(127.5 + 127.5 * up).astype(np.uint8)], axis=2)


def _smaller(rows: Bytes) -> Bytes:
    """Return (H, W, k), halved until no higher than `SIDE`."""
    layers = rows.astype(np.float32)
    while layers.shape[0] > SIDE and layers.shape[0] % 2 == layers.shape[1] % 2 == 0:
        layers = (layers[::2, ::2] + layers[1::2, ::2] + layers[::2, 1::2] + layers[1::2, 1::2]) * _QUARTER
    return np.round(layers).astype(np.uint8)

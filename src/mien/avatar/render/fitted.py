"""Heads reduced to what pictures of one size show, kept: to reduce one takes most of a second."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from mien import packs
from mien.avatar import cache, pruning
from mien.avatar.model import Avatar, Part
from mien.avatar.render import detail, rings
from mien.errors import CorruptError, MissingError, ResourceError

_WORTH = 20_000  # triangles; smaller heads are reduced sooner than read


def fitted(avatar: Avatar, pixel_m: float) -> Avatar:
    """Return `detail.fitted(avatar, pixel_m)`, from `$MIEN_HOME/avatars` where it was kept before."""
    if sum(len(part.triangles) for part in avatar.parts) < _WORTH:
        return detail.fitted(avatar, pixel_m)
    path = kept_at(avatar, pixel_m)
    try:
        parts = cache.read(path).parts
        cache.touch(path)
        return replace(avatar, parts=parts)
    except (CorruptError, MissingError):
        reduced = detail.fitted(avatar, pixel_m)
    with suppress(ResourceError):  # a full disk, a folder that is not ours: then without
        cache.write(path, replace(reduced, skin=np.zeros((1, 1, 4), np.uint8), skin_detail=None))
        pruning.prune(path.parent)
    return reduced


def kept_at(avatar: Avatar, pixel_m: float) -> Path:
    """Return where the meshes are kept: the name holds a digest of all that they are made from."""
    digest = hashlib.sha256(f"{cache.FORMAT} {float(pixel_m).hex()} {avatar.eye_radius}".encode())
    for module in (detail, rings):
        digest.update(Path(str(module.__file__)).read_bytes())
    digest.update(np.ascontiguousarray(avatar.eye_centers).data)
    for part in avatar.parts:
        for data in _data(part):
            digest.update(data)
    name = re.sub(r"\W", "_", avatar.name)[:40]
    return packs.home() / "avatars" / f"{name}_fitted-{digest.hexdigest()[:16]}.npz"


def _data(part: Part) -> Iterator[bytes | memoryview]:
    yield f"{part.name} {part.material} {part.two_sided} {list(part.morphs)}".encode()
    arrays = [getattr(part, field) for field in cache.ARRAYS]
    for morph in part.morphs.values():
        arrays += [morph.indices, morph.positions, morph.normals]
    for array in arrays:
        yield f"{array.shape}".encode()
        yield np.ascontiguousarray(array).data

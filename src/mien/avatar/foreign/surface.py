"""Materials of a foreign head: colours, and all their pictures side by side in one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.avatar.files.fields import Table
from mien.avatar.foreign.meshes import Mesh

Doubles = NDArray[np.float64]
Picture = NDArray[np.uint8]

SIDE, FEW = 1024, 6  # pixels of a picture's side, when there are no more than so many; else half of it
SKIN_GLOSS, WET_GLOSS = 90, 255
_SKIN = re.compile(r"skin|face|head|body", re.IGNORECASE)
_NOT_SKIN = re.compile(r"hair|brow|lash|teeth|tooth|tongue|eye|mouth|cloth|outfit|glass", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Surface:
    """`material`: of mien's renderer. `color`: linear. `texture`: of the file, or -1. `shift`, `stretch` of
    its coordinates. `cutoff`: what is less opaque is not there; 0: nothing is transparent.
    """

    material: str
    color: tuple[float, float, float]
    texture: int
    shift: tuple[float, float]
    stretch: tuple[float, float]
    cutoff: float
    two_sided: bool


def surface(root: Table, mesh: Mesh, *, comic: bool) -> Surface:
    """Return what a mesh is covered with; `comic` heads (VRM) have no skin that scatters light."""
    row = root.row("materials", mesh.material) if mesh.material >= 0 else Table({}, root.where)
    plain = row.table("pbrMetallicRoughness")
    color = plain.numbers("baseColorFactor", (1.0, 1.0, 1.0, 1.0))
    picture = plain.table("baseColorTexture")
    moved = picture.table("extensions").table("KHR_texture_transform")
    shift, stretch = moved.numbers("offset", (0.0, 0.0)), moved.numbers("scale", (1.0, 1.0))
    name = f"{row.text('name')} {mesh.name}"
    skin = not comic and _SKIN.search(name) is not None and _NOT_SKIN.search(name) is None
    mode = row.text("alphaMode", "OPAQUE")
    return Surface(
        material="skin" if skin else "plain",
        color=(color[0], color[1], color[2]),
        texture=picture.whole("index") if picture.values else -1,
        shift=(shift[0], shift[1]),
        stretch=(stretch[0], stretch[1]),
        cutoff={"OPAQUE": 0.0, "MASK": row.number("alphaCutoff", 0.5)}.get(mode, 0.5) / max(color[3], 1e-6),
        two_sided=row.flag("doubleSided"),
    )


_WHITE = (1.0, 1.0, 1.0)
_Tile = tuple[int, str, tuple[float, float, float]]


def _tile(look: Surface, material: str) -> _Tile:
    """Return what makes a tile: texture, material, and the tint, which skin can not have by itself."""
    return look.texture, material, look.color if material == "skin" else _WHITE


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """`picture` (H, W, 4): tiles side by side, their opacity in `alpha`; `tiles`: see `_tile`."""

    picture: Picture
    alpha: dict[int, Picture]
    tiles: dict[_Tile, int]
    side: int

    def place(self, uvs: Doubles, look: Surface, material: str) -> Doubles:
        """Return coordinates (V, 2) in the atlas, from its lower left, of those of a tile, from the upper."""
        tile, rows = self.tiles[_tile(look, material)], self.picture.shape[0] // self.side
        inside = np.clip(uvs, 0, 1) * (self.side - 2) + 1.0
        x, y = tile // rows * self.side + inside[:, 0], tile % rows * self.side + inside[:, 1]
        return np.stack([x / self.picture.shape[1], 1 - y / self.picture.shape[0]], axis=1)


def make_atlas(looks: Sequence[tuple[Surface, str]], read: Callable[[int, int], Picture]) -> Atlas:
    """Lay the pictures of all surfaces side by side; `read(texture, side)` decodes one (H, W, 4)."""
    tiles = {tile: i for i, tile in enumerate(dict.fromkeys(_tile(look, kind) for look, kind in looks))}
    few = len(tiles) <= FEW
    side, rows = (SIDE, 1) if few else (SIDE // 2, 2)
    whole = np.full((side * rows, side * -(-len(tiles) // rows), 4), 255, np.uint8)
    alpha: dict[int, Picture] = {}
    for (texture, kind, tint), tile in tiles.items():
        x, y = tile // rows * side, tile % rows * side
        place = whole[y : y + side, x : x + side]
        if texture >= 0:
            picture = read(texture, side)
            alpha[texture] = picture[..., 3]
            place[..., :3] = _spread(picture[..., :3], side)
        if tint != _WHITE:
            place[..., :3] = np.round(place[..., :3] * np.array(tint).clip(0, 1) ** (1 / 2.2))
        place[..., 3] = {"skin": SKIN_GLOSS, "eyeball": WET_GLOSS}.get(kind, 0)
    return Atlas(whole, alpha, tiles, side)


def _spread(picture: Picture, side: int) -> Picture:
    """Stretch a picture to a square of `side` pixels, linear between its own."""
    for axis in (0, 1):
        have = picture.shape[axis]
        at = np.clip((np.arange(side) + 0.5) * have / side - 0.5, 0, have - 1)
        low = np.floor(at).astype(np.intp)
        part = (at - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        near, far = picture.take(low, axis), picture.take(np.minimum(low + 1, have - 1), axis)
        picture = np.round(near + (far.astype(np.float32) - near) * part).astype(np.uint8)
    return picture


def unrepeated(uvs: Doubles, triangles: NDArray[np.int64]) -> Doubles:
    """Return coordinates moved into [0, 1] where a whole mesh lies in one repeat of its picture."""
    if not len(uvs) or (uvs.min() >= -1e-3 and uvs.max() <= 1 + 1e-3):
        return uvs
    used = uvs[np.unique(triangles)] if len(triangles) else uvs
    moved = uvs - np.floor(used.min(axis=0) + 1e-3)
    return moved if moved[np.unique(triangles)].max() <= 1 + 1e-3 else uvs - np.floor(uvs)

"""A head in a GPU's memory: vertices, morph targets, textures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Avatar, Floats, Ints
from mien.avatar.render import layout, scene

TEXTURES = ("deltas", "skin_map", "relief_map", "streaks")  # in the order of their units
DELTA_WIDTH = 4096  # texels in a row of the texture of morph targets
_ATTRIBUTES = ("position", "normal", "shade", "tint", "along", "uv", "about")
_FORMAT = "3f 3f 4f 4f 4f 2f 3i"


class Head:
    """What no frame changes of `avatar`; made and released in the stage's thread."""

    def __init__(self, context: Any, program: Any, avatar: Avatar, skin_texels: int) -> None:
        packed = scene.pack(avatar, skin_texels=skin_texels)
        self.avatar, self.pivot, self.iris = avatar, packed.pivot, packed.model.iris
        self.eye_centers = packed.eye_centers
        order, start, rows = _by_vertex(packed)
        self._vertices = context.buffer(_vertices(packed, start).tobytes())
        self._textures = [
            _deltas(context, packed, order, rows),
            *_skin(context, packed.model.skin),
            _streaks(context, packed.model.hair),
        ]
        faces = packed.model.faces
        sides = [faces[faces[:, layout.TWO_SIDED] == two][:, : layout.C + 1] for two in (0, 1)]
        self._indices = [context.buffer(np.ascontiguousarray(side).tobytes()) for side in sides if len(side)]
        self._culled = [two for two, side in enumerate(sides) if len(side)]
        content = [(self._vertices, _FORMAT, *_ATTRIBUTES)]
        self._arrays = [context.vertex_array(program, content, index) for index in self._indices]

    def draw(self, context: Any) -> None:
        """Draw it into the framebuffer in use."""
        for unit, texture in enumerate(self._textures):
            texture.use(unit)
        for two_sided, array in zip(self._culled, self._arrays, strict=True):
            context.enable_only(context.DEPTH_TEST if two_sided else context.DEPTH_TEST | context.CULL_FACE)
            array.render()

    def release(self) -> None:
        """Give its memory back."""
        for thing in (*self._arrays, *self._indices, *self._textures, self._vertices):
            thing.release()


def _by_vertex(packed: scene.Scene) -> tuple[Ints, Ints, Ints]:
    """Return the order that gathers what moves each vertex, where each vertex begins (V + 1), and targets."""
    targets = np.repeat(np.arange(len(packed.morph_start) - 1), np.diff(packed.morph_start))
    order = np.argsort(packed.morph_index, kind="stable")
    start = np.searchsorted(packed.morph_index[order], np.arange(len(packed.points) + 1))
    return order.astype(np.int32), start.astype(np.int32), targets[order].astype(np.int32)


def _vertices(packed: scene.Scene, start: Ints) -> NDArray[np.void]:
    """Return the vertices as the shader reads them."""
    static, skin = packed.model.static, packed.model.static[:, layout.KIND] == layout.SKIN
    rows = np.zeros(len(static), np.dtype([("floats", np.float32, 20), ("about", np.int32, 3)]))
    color, extra = static[:, layout.RED : layout.BLUE + 1], static[:, layout.X : layout.W + 1]
    tangent = np.stack([*static[:, layout.TANGENT : layout.TANGENT + 3].T, static[:, layout.HAND]], 1)
    inside = np.pad(static[:, [layout.X]], ((0, 0), (0, 2)))
    rows["floats"] = np.hstack(
        [
            packed.points,
            static[:, layout.OCCLUSION : layout.KEY_OPEN + 1],
            np.where(skin[:, None], inside, color),
            static[:, [layout.HEAD]],
            np.where(skin[:, None], tangent, extra),
            _uvs(packed.model),
        ]
    )
    rows["about"] = np.stack([static[:, layout.KIND].astype(np.int32), start[:-1], np.diff(start)], 1)
    return rows


def _uvs(model: layout.Model) -> Floats:
    """Return texture coordinates, 0 to 1, from those in texels."""
    hair = model.static[:, [layout.KIND]] == layout.HAIR
    size = np.where(hair, model.hair.shape[::-1], model.skin.shape[1::-1])
    return ((model.static[:, layout.U : layout.V + 1] + 0.5) / size).astype(np.float32)


def _deltas(context: Any, packed: scene.Scene, order: Ints, targets: Ints) -> Any:
    """Return the texture of morph targets: two texels a row, move and target, turn."""
    rows = np.zeros((max(len(order), 1), 2, 4), np.float32)
    rows[: len(order), 0, :3], rows[: len(order), 1, :3] = np.split(packed.morph_delta[order], 2, axis=1)
    rows[: len(order), 0, 3] = targets
    flat = rows.reshape(-1, 4)
    flat = np.pad(flat, ((0, -len(flat) % DELTA_WIDTH), (0, 0)))
    size = (DELTA_WIDTH, len(flat) // DELTA_WIDTH)
    return _texture(context, size, flat, 4, "f4", smooth=False)


def _skin(context: Any, skin: layout.Bytes) -> tuple[Any, Any]:
    size = skin.shape[1::-1]
    layers = skin[..., :4], skin[..., 4:]
    first, second = (_texture(context, size, layer, layer.shape[2], "f1", smooth=True) for layer in layers)
    return first, second


def _streaks(context: Any, hair: Floats) -> Any:
    return _texture(context, hair.shape[::-1], hair, 1, "f4", smooth=True)


def _texture(
    context: Any, size: tuple[int, ...], data: Any, channels: int, kind: str, *, smooth: bool
) -> Any:
    texture = context.texture(size, channels, np.ascontiguousarray(data).tobytes(), alignment=1, dtype=kind)
    texture.repeat_x = texture.repeat_y = False
    near = context.LINEAR if smooth else context.NEAREST
    texture.filter = (near, near)
    return texture

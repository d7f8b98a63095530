"""A head in a GPU's memory: vertices, morph targets, textures."""

from __future__ import annotations

from typing import Any

import numpy as np

from mien.avatar.model import Avatar, Floats, Ints
from mien.avatar.render import layout, scene
from mien.avatar.render.gl.programs import GROUP, Programs

_ATTRIBUTES = ("place", "lit_diffuse", "lit_specular", "lit_detail")
_DRAWN = 16  # floats of a vertex that is lit


class Head:
    """What no frame changes of `avatar`; made, drawn and released in the stage's thread."""

    def __init__(self, context: Any, programs: Programs, avatar: Avatar, skin_texels: int) -> None:
        packed = scene.pack(avatar, skin_texels=skin_texels)
        self.avatar, self.pivot, self.iris = avatar, packed.pivot, packed.model.iris
        self.eye_centers, self.products = packed.eye_centers, packed.products
        self._light, self._groups = programs.light(), -(-len(packed.points) // GROUP)
        order, start, targets = _by_vertex(packed)
        self._stills = context.buffer(_stills(packed, start).tobytes())
        self._deltas = context.buffer(_deltas(packed, order, targets).tobytes())
        self._drawns = context.buffer(reserve=4 * _DRAWN * len(packed.points))
        self._about = context.buffer(_about(packed.model.static).tobytes())
        self._textures = [*_skin(context, packed.model.skin), _texture(context, packed.model.hair[..., None])]
        content = [(self._drawns, "4f 4f 4f 4f", *_ATTRIBUTES), (self._about, "2i", "about")]
        faces = packed.model.faces
        sides = {two: faces[faces[:, layout.TWO_SIDED] == two][:, : layout.C + 1] for two in (0, 1)}
        self._indices = {
            two: context.buffer(np.ascontiguousarray(corners).tobytes())
            for two, corners in sides.items()
            if len(corners)
        }
        self._arrays = {
            two: context.vertex_array(programs.head(), content, index) for two, index in self._indices.items()
        }

    def light(self, context: Any) -> None:
        """Morph, turn and light all vertices."""
        for binding, buffer in enumerate((self._stills, self._deltas, self._drawns)):
            buffer.bind_to_storage_buffer(binding)
        self._light.run(self._groups)
        context.memory_barrier()

    def draw(self, context: Any) -> None:
        """Draw it, lit, into the framebuffer in use."""
        for unit, texture in enumerate(self._textures):
            texture.use(unit)
        for two_sided, array in self._arrays.items():
            context.enable_only(context.DEPTH_TEST if two_sided else context.DEPTH_TEST | context.CULL_FACE)
            array.render()

    def release(self) -> None:
        """Give its memory back."""
        buffers = self._stills, self._deltas, self._drawns, self._about
        for thing in (*self._arrays.values(), *self._indices.values(), *self._textures, *buffers):
            thing.release()


def _by_vertex(packed: scene.Scene) -> tuple[Ints, Ints, Ints]:
    """Return the order that gathers what moves each vertex, where each vertex begins (V + 1), and targets."""
    targets = np.repeat(np.arange(len(packed.morph_start) - 1), np.diff(packed.morph_start))
    order = np.argsort(packed.morph_index, kind="stable")
    start = np.searchsorted(packed.morph_index[order], np.arange(len(packed.points) + 1))
    return order.astype(np.int32), start.astype(np.int32), targets[order].astype(np.int32)


def _stills(packed: scene.Scene, start: Ints) -> Floats:
    """Return the vertices (V, 24) as the shader reads them."""
    static, kind = packed.model.static, packed.model.static[:, [layout.KIND]]
    skin, (points, normals) = kind == layout.SKIN, np.split(packed.points, 2, axis=1)
    color, extra = static[:, layout.RED : layout.BLUE + 1], static[:, layout.X : layout.W + 1]
    tangent = np.stack([*static[:, layout.TANGENT : layout.TANGENT + 3].T, static[:, layout.HAND]], 1)
    inside = np.pad(static[:, [layout.X]], ((0, 0), (0, 2)))
    columns = [
        *(points, kind, normals, np.zeros_like(kind), static[:, layout.OCCLUSION : layout.KEY_OPEN + 1]),
        *(np.where(skin, inside, color), static[:, [layout.HEAD]], np.where(skin, tangent, extra)),
        *(_uvs(packed.model), start[:-1, None], np.diff(start)[:, None]),
    ]
    return np.hstack(columns).astype(np.float32)


def _about(static: Floats) -> Ints:
    """Return material and side of an eye (V, 2)."""
    return np.stack([static[:, layout.KIND], static[:, layout.W] > 0.5], 1).astype(np.int32)


def _uvs(model: layout.Model) -> Floats:
    """Return texture coordinates, 0 to 1, from those in texels."""
    hair = model.static[:, [layout.KIND]] == layout.HAIR
    size = np.where(hair, model.hair.shape[::-1], model.skin.shape[1::-1])
    return ((model.static[:, layout.U : layout.V + 1] + 0.5) / size).astype(np.float32)


def _deltas(packed: scene.Scene, order: Ints, targets: Ints) -> Floats:
    """Return the morph targets vertex by vertex (n, 8): move, target, turn, nothing."""
    rows = np.zeros((max(len(order), 1), 8), np.float32)
    rows[: len(order), :3], rows[: len(order), 4:7] = np.split(packed.morph_delta[order], 2, axis=1)
    rows[: len(order), 3] = targets
    return rows


def _skin(context: Any, skin: layout.Bytes) -> tuple[Any, Any]:
    return _texture(context, skin[..., :4]), _texture(context, skin[..., 4:])


def _texture(context: Any, rows: Any) -> Any:
    """Return (H, W, k) as a texture, smooth between its texels."""
    height, width, channels = rows.shape
    kind = "f1" if rows.dtype == np.uint8 else "f4"
    data = np.ascontiguousarray(rows).tobytes()
    texture = context.texture((width, height), channels, data, alignment=1, dtype=kind)
    texture.repeat_x = texture.repeat_y = False
    texture.filter = (context.LINEAR, context.LINEAR)
    return texture

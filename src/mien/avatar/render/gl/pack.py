"""A picture in a GPU's memory → bytes in ours, a few frames later."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# ITU-R BT.709: luma weights, and what scales a difference to a chroma of limited range.
_LUMA = {"R": 0.2126, "G": 0.7152, "B": 0.0722}
_BLUE, _RED = 224 / 255 / 1.8556, 224 / 255 / 1.5748
_SCALE = 65536
AHEAD = 3  # pictures on their way
Buffer = Any


def weights() -> dict[str, int]:
    """Return the factors of luma and chroma as whole numbers, by the names that the shader gives them."""
    names: dict[str, int] = {}
    for channel, weight in _LUMA.items():
        names[f"LUMA_{channel}"] = round(weight * 219 / 255 * _SCALE)
        names[f"CB_{channel}"] = round(((channel == "B") - weight) * _BLUE * _SCALE)
        names[f"CR_{channel}"] = round(((channel == "R") - weight) * _RED * _SCALE)
    return names


class Packer:
    """Reads pictures of `size` back in `shape`, through buffers that are filled while the next are drawn."""

    def __init__(self, context: Any, program: Any, size: tuple[int, int], shape: tuple[int, ...]) -> None:
        self.shape, self._program, self._pitch = shape, program, size[0]
        self._bytes = int(np.prod(shape))
        rows = -(-self._bytes // (4 * self._pitch))
        self._target = context.texture((self._pitch, rows), 4)
        self._framebuffer = context.framebuffer([self._target])
        self._array = context.vertex_array(program, [])
        self._size = 4 * self._pitch * rows
        self._context = context
        self.own = self.buffer()  # for one picture at a time

    def buffer(self) -> Buffer:
        """Return room for one more picture."""
        return self._context.buffer(reserve=self._size, dynamic=True)

    def start(self, context: Any, picture: Any, buffer: Buffer) -> None:
        """Convert `picture`, a texture, and begin to read it into `buffer`."""
        context.enable_only(context.NOTHING)
        self._framebuffer.use()
        picture.use(0)
        self._program["picture"].value = 0
        self._program["pitch"].value = self._pitch
        self._array.render(context.TRIANGLES, vertices=3)
        self._framebuffer.read_into(buffer, components=4)

    def finish(self, buffer: Buffer, out: NDArray[np.uint8]) -> None:
        """Wait for what `buffer` holds, and copy it to `out`."""
        buffer.read_into(out.reshape(-1), self._bytes)

    def release(self) -> None:
        """Give its memory back."""
        for thing in (self._array, self._framebuffer, self._target, self.own):
            thing.release()

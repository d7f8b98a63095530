"""A picture in a GPU's memory → bytes in ours, a few frames later."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.render.gl.canvas import Canvas
from mien.avatar.render.gl.programs import GROUP, Programs

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
    """Puts pictures before `behind` (H, W, 3; None: transparent) and reads them back, as RGB(A) or planes."""

    def __init__(
        self, context: Any, programs: Programs, canvas: Canvas, behind: Any, *, planes: bool
    ) -> None:
        (width, height), channels = canvas.size, 4 if behind is None else 3
        rows = (height * (2 * channels - 3) // 2, width)
        self.shape = rows if planes else (height, width, channels)
        self._context, self._canvas, self._behind = context, canvas, behind
        self._bytes = int(np.prod(self.shape))
        self._words = -(-self._bytes // 4)
        about = {"CHANNELS": channels, "PLANES": int(planes), "WIDTH": width, "HEIGHT": height}
        self._program = programs.pack({**about, "SAMPLES": canvas.samples, **weights()})
        self.own = self.buffer()  # for one picture at a time

    def buffer(self) -> Buffer:
        """Return room for one more picture."""
        return self._context.buffer(reserve=4 * self._words, dynamic=True)

    def start(self, buffer: Buffer) -> None:
        """Begin to write what was drawn into `buffer`."""
        self._canvas.picture.use(0)
        if self._behind is not None:
            self._behind.use(1)
        buffer.bind_to_storage_buffer(0)
        self._program.run(-(-self._words // GROUP))
        self._context.memory_barrier()

    def finish(self, buffer: Buffer, out: NDArray[np.uint8]) -> None:
        """Wait for what `buffer` holds, and copy it to `out`."""
        buffer.read_into(out.reshape(-1), self._bytes)

    def release(self) -> None:
        """Give its memory back."""
        self.own.release()

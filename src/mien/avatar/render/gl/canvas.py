"""What heads are drawn on: four samples a pixel, with nothing where no head is."""

from __future__ import annotations

from typing import Any

from mien.avatar.render.gl.head import Head

SAMPLES = 4


class Canvas:
    """Holds `picture`, a texture of `samples` a pixel: sRGB, and alpha 1 where a head was drawn."""

    def __init__(self, context: Any, size: tuple[int, int], block: int) -> None:
        self.size, self.samples = size, min(SAMPLES, context.max_samples)
        self.picture = context.texture(size, 4, samples=self.samples)
        self._depth = context.depth_renderbuffer(size, samples=self.samples)
        self._framebuffer = context.framebuffer([self.picture], self._depth)
        self._block = context.buffer(reserve=block, dynamic=True)

    def draw(self, context: Any, head: Head, frame: bytes) -> None:
        """Draw `head` in `frame`."""
        self._block.write(frame)
        self._block.bind_to_uniform_block(0)
        head.light(context)
        self._framebuffer.use()
        self._framebuffer.clear()
        head.draw(context)

    def release(self) -> None:
        """Give its memory back."""
        for thing in (self._framebuffer, self.picture, self._depth, self._block):
            thing.release()

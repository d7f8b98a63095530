"""What heads are drawn on: four samples a pixel, then the picture."""

from __future__ import annotations

from typing import Any

SAMPLES = 4


class Canvas:
    """Draws into `picture`, a texture of sRGB, times alpha where nothing is behind."""

    def __init__(self, context: Any, size: tuple[int, int], block: int) -> None:
        samples = min(SAMPLES, context.max_samples)
        self._fine = context.framebuffer(
            [context.renderbuffer(size, 4, samples=samples)],
            context.depth_renderbuffer(size, samples=samples),
        )
        self.picture = context.texture(size, 4)
        self._coarse = context.framebuffer([self.picture])
        self._block = context.buffer(reserve=block, dynamic=True)

    def draw(self, context: Any, behind: Any, head: Any, frame: bytes) -> None:
        """Draw `head` in `frame` before `behind`, either None for nothing."""
        self._fine.use()
        self._fine.clear()
        if behind is not None:
            context.enable_only(context.NOTHING)
            behind.draw(context)
        self._block.write(frame)
        self._block.bind_to_uniform_block(0)
        head.draw(context)
        context.copy_framebuffer(self._coarse, self._fine)

    def release(self) -> None:
        """Give its memory back."""
        for thing in (self._coarse, self.picture, self._block):
            thing.release()
        for part in (*self._fine.color_attachments, self._fine.depth_attachment):
            part.release()
        self._fine.release()


class Backdrop:
    """A picture (H, W, 3) behind the head."""

    def __init__(self, context: Any, program: Any, picture: Any) -> None:
        height, width = picture.shape[:2]
        self._texture = context.texture((width, height), 3, picture.tobytes(), alignment=1)
        self._program, self._array = program, context.vertex_array(program, [])

    def draw(self, context: Any) -> None:
        """Draw it over everything."""
        self._texture.use(0)
        self._program["picture"].value = 0
        self._array.render(context.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Give its memory back."""
        self._array.release()
        self._texture.release()

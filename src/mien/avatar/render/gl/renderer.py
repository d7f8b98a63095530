"""The renderer that draws with OpenGL."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Self

import numpy as np

from mien.avatar.model import Avatar
from mien.avatar.render import background as backgrounds
from mien.avatar.render.camera import Camera
from mien.avatar.render.gl import frame as frames
from mien.avatar.render.gl.canvas import Canvas
from mien.avatar.render.gl.head import Head
from mien.avatar.render.gl.pack import AHEAD, Buffer, Packer
from mien.avatar.render.gl.stage import Stage
from mien.avatar.render.renderer import Picture, check_pose, check_size, target
from mien.avatar.render.texture import texels_for
from mien.face.pose import FacePose


class GlRenderer:
    """Draws `avatar` with OpenGL: a `Renderer`, with the options of `SoftwareRenderer`.

    `stage`: where it is drawn; without one the renderer opens its own. Renderers on one stage take turns, and
    share what they can. May be used from several threads at once.
    """

    def __init__(
        self,
        avatar: Avatar,
        size: tuple[int, int] = (512, 512),
        *,
        camera: Camera | None = None,
        background: str | Path | Picture = "studio",
        stage: Stage | None = None,
    ) -> None:
        check_size(size)
        self.size = size
        self.camera = camera or Camera.portrait(avatar, size)
        behind = backgrounds.make(size, background)
        self.transparent = behind.shape[2] == 4
        self._own, self.stage = stage is None, stage or Stage()
        try:
            self.stage.run(self._load, avatar, behind)
        except BaseException:
            if self._own:
                self.stage.close()
            raise

    def _load(self, avatar: Avatar, behind: Picture) -> None:
        stage, texels = self.stage, texels_for(self.size)
        context, programs = stage.context, stage.programs
        self._keys: tuple[object, ...] = (id(avatar), texels), self.size
        self._head = stage.share(self._keys[0], lambda: Head(context, programs, avatar, texels))
        self._canvas = stage.share(self._keys[1], lambda: Canvas(context, self.size, frames.SIZE))
        self._behind = (
            None if self.transparent else context.texture(self.size, 3, behind.tobytes(), alignment=1)
        )
        self._frame = frames.Frame(self._head, self.camera, self.size)
        self._packers = {
            planes: Packer(context, programs, self._canvas, self._behind, planes=planes)
            for planes in (False, True)
        }

    def render(self, pose: FacePose, out: Picture | None = None) -> Picture:
        """Return (H, W, 3) sRGB, or (H, W, 4) when `transparent`. Raises `InputError`."""
        return self._one(pose, out, planes=False)

    def render_yuv(self, pose: FacePose, out: Picture | None = None) -> Picture:
        """Return the planes of `render`'s picture."""
        return self._one(pose, out, planes=True)

    def frames(self, poses: Iterable[FacePose]) -> Iterator[Picture]:
        """Yield the picture of each pose, in order, reading one back while the next is drawn."""
        return self._stream(poses, planes=False)

    def frames_yuv(self, poses: Iterable[FacePose]) -> Iterator[Picture]:
        """Yield the planes of each pose. Each is valid only until the next one is taken."""
        return self._stream(poses, planes=True)

    def close(self) -> None:
        """Give back what is held; nothing can be drawn afterwards."""
        self.stage.run(self._release)
        if self._own:
            self.stage.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _release(self) -> None:
        for thing in (*self._packers.values(), self._behind):
            if thing is not None:
                thing.release()
        for key in self._keys:
            self.stage.drop(key)

    def _draw(self, pose: FacePose, packer: Packer, buffer: Buffer) -> None:
        self._canvas.draw(self.stage.context, self._head, self._frame.at(pose))
        packer.start(buffer)

    def _one(self, pose: FacePose, out: Picture | None, *, planes: bool) -> Picture:
        check_pose(pose)
        packer = self._packers[planes]
        picture = target(out, packer.shape)

        def draw() -> None:
            self._draw(pose, packer, packer.own)
            packer.finish(packer.own, picture)

        self.stage.run(draw)
        return picture

    def _stream(self, poses: Iterable[FacePose], *, planes: bool) -> Iterator[Picture]:
        """Draw ahead of what is yielded by as many frames as there are buffers."""
        packer = self._packers[planes]
        free = self.stage.run(lambda: deque(packer.buffer() for _ in range(AHEAD)))
        kept = np.empty(packer.shape, np.uint8) if planes else None
        waiting: deque[tuple[Buffer, Future[None]]] = deque()

        def first() -> Picture:
            buffer, drawn = waiting[0]
            drawn.result()
            picture = np.empty(packer.shape, np.uint8) if kept is None else kept
            self.stage.run(packer.finish, buffer, picture)
            free.append(waiting.popleft()[0])
            return picture

        try:
            for pose in poses:
                check_pose(pose)
                drawn = self.stage.submit(self._draw, pose, packer, free[0])
                waiting.append((free.popleft(), drawn))
                if not free:
                    yield first()
            while waiting:
                yield first()
        finally:
            free.extend(buffer for buffer, _ in waiting)
            self.stage.run(lambda: [buffer.release() for buffer in free])

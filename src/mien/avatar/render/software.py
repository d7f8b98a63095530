"""The renderer that needs nothing but a CPU."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self

import numpy as np

from mien.avatar.model import Avatar
from mien.avatar.render import background as backgrounds
from mien.avatar.render import scene as scenes
from mien.avatar.render.camera import Camera
from mien.avatar.render.fitted import fitted
from mien.avatar.render.renderer import Picture, check_pose, check_size, target
from mien.avatar.render.texture import texels_for
from mien.errors import InputError
from mien.face.pose import FacePose

if TYPE_CHECKING:
    from mien.avatar.render.canvas import Canvas
    from mien.avatar.render.layout import Scratch

Stroke = Callable[["Canvas", Picture, int, int, "Scratch"], None]


class SoftwareRenderer:
    """Draws `avatar` on the CPU, anti-aliased, without any graphics library: a `Renderer`.

    `size`: width and height in pixels, even numbers. `camera`: see `Camera`; a portrait by default.
    `background`: `"studio"`, `"office"`, `"transparent"`, `"#rrggbb"`, a picture's file, or a picture
    (H, W, 3) of that size. The first frame ever compiles the kernels (see `warm_up`). Bytes do not
    depend on the number of `threads`. `reduced=False` draws every triangle, for a head of a few pictures:
    to leave out what no picture shows takes a second. One renderer may be used from several threads at once.
    """

    def __init__(
        self,
        avatar: Avatar,
        size: tuple[int, int] = (512, 512),
        *,
        camera: Camera | None = None,
        background: str | Path | Picture = "studio",
        threads: int = 2,
        reduced: bool = True,
    ) -> None:
        check_size(size)
        if not 1 <= threads <= 64:
            raise InputError(f"{threads} renderer threads; valid: 1 to 64")
        self.size, self.threads = size, threads
        self.camera = camera or Camera.portrait(avatar, size)
        behind = backgrounds.make(size, background)
        self.transparent = behind.shape[2] == 4
        scenes.check(avatar)
        if reduced:
            avatar = fitted(avatar, self.camera.pixel_m(size, avatar.eye_centers.mean(axis=0)))
        self._scene = scenes.pack(avatar, skin_texels=texels_for(size))
        self._backgrounds = np.stack([behind, behind])
        self._planes: Picture | None = None  # of what never moves
        self._idle: deque[tuple[Canvas, list[Scratch]]] = deque()
        self._first, self._ready = Lock(), False
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="mien-render")

    def render(self, pose: FacePose, out: Picture | None = None) -> Picture:
        """Return (H, W, 3) sRGB, or (H, W, 4) when `transparent`. Raises `InputError`."""
        return self._shared(_colors, pose, target(out, self._backgrounds.shape[1:]))

    def render_yuv(self, pose: FacePose, out: Picture | None = None) -> Picture:
        """Return the planes of `render`'s picture."""
        planes = target(out, self._still_planes().shape)
        planes[...] = self._still_planes()
        return self._shared(_planes, pose, planes)

    def frames(self, poses: Iterable[FacePose]) -> Iterator[Picture]:
        """Yield the picture of each pose, in order, drawing as many at once as there are threads.

        Faster than `render` frame by frame; takes poses a few frames ahead of what it yields.
        """
        return self._stream(poses, lambda pose: self._alone(_colors, pose, self._blank()))

    def frames_yuv(self, poses: Iterable[FacePose]) -> Iterator[Picture]:
        """Yield the planes of each pose; see `frames`. Each is valid only until the next one is taken."""
        still, free = self._still_planes(), deque[Picture]()

        def whole(pose: FacePose) -> Picture:
            try:
                planes = free.pop()
            except IndexError:
                planes = np.empty_like(still)
            planes[...] = still
            return self._alone(_planes, pose, planes)

        for planes in self._stream(poses, whole):
            yield planes
            free.append(planes)

    def close(self) -> None:
        """End the threads; nothing can be drawn afterwards."""
        self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def borrow(self) -> tuple[Canvas, list[Scratch]]:
        """Take a canvas, and scratch space for its threads, that no one else draws on: for benchmarks."""
        self._stand()
        try:
            return self._idle.pop()
        except IndexError:
            canvas = self._canvas(self._scene)
            return canvas, [canvas.scratch()]

    def _canvas(self, scene: scenes.Scene) -> Canvas:
        from mien.avatar.render.canvas import Canvas

        return Canvas(scene, self.size, self.camera.matrix(self.size), self._backgrounds)

    def _stand(self) -> None:
        """Draw what never moves, once."""
        with self._first:
            if not self._ready:
                canvas = self._canvas(scenes.still(self._scene))
                canvas.place(FacePose())
                alone = self._blank()
                canvas.paint(alone, 0, canvas.rows, canvas.scratch())
                self._backgrounds[1] = alone
                self._ready = True

    def _blank(self) -> Picture:
        return np.empty(self._backgrounds.shape[1:], np.uint8)

    def _still_planes(self) -> Picture:
        self._stand()
        if self._planes is None:
            from mien.avatar.render.canvas import to_planes

            self._planes = to_planes(self._backgrounds[1])
        return self._planes

    def _shared(self, stroke: Stroke, pose: FacePose, out: Picture) -> Picture:
        """Draw one picture with all threads."""
        check_pose(pose)
        canvas, scratch = self.borrow()
        while len(scratch) < self.threads:
            scratch.append(canvas.scratch())
        canvas.place(pose)
        turns = itertools.count()  # one step of it is atomic: each row of tiles is taken once

        def paint(own: Scratch) -> None:
            while (row := next(turns)) < canvas.rows:
                stroke(canvas, out, row, row + 1, own)

        helpers = [self._pool.submit(paint, own) for own in scratch[1:]]
        paint(scratch[0])
        for helper in helpers:
            helper.result()
        self._idle.append((canvas, scratch))
        return out

    def _alone(self, stroke: Stroke, pose: FacePose, out: Picture) -> Picture:
        """Draw one picture with this thread."""
        canvas, scratch = self.borrow()
        canvas.place(pose)
        stroke(canvas, out, 0, canvas.rows, scratch[0])
        self._idle.append((canvas, scratch))
        return out

    def _stream(self, poses: Iterable[FacePose], whole: Callable[[FacePose], Picture]) -> Iterator[Picture]:
        waiting: deque[Future[Picture]] = deque()
        try:
            for pose in poses:
                check_pose(pose)
                waiting.append(self._pool.submit(whole, pose))
                if len(waiting) > self.threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for job in waiting:
                job.cancel()


def _colors(canvas: Canvas, out: Picture, first: int, last: int, scratch: Scratch) -> None:
    canvas.paint(out, first, last, scratch)


def _planes(canvas: Canvas, out: Picture, first: int, last: int, scratch: Scratch) -> None:
    canvas.paint_planes(out, first, last, scratch)

"""An avatar in a pose becomes a picture."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Avatar
from mien.avatar.render import background as backgrounds
from mien.avatar.render import scene as scenes
from mien.avatar.render.camera import Camera
from mien.errors import InputError
from mien.face.pose import FacePose

if TYPE_CHECKING:
    from mien.avatar.render.canvas import Canvas, Planes, Scratch

Picture = NDArray[np.uint8]
T = TypeVar("T")
_LARGEST = 8192
_FARTHEST = 10.0  # no weight or angle in radians is larger; the kernels rely on it
_FINE_SKIN = 640  # pixels of height from which the whole skin texture is worth its memory traffic


class Renderer:
    """Draws `avatar` on the CPU, anti-aliased, without any graphics library.

    `size`: width and height in pixels, even numbers. `camera`: see `Camera`; a portrait by default.
    `background`: `"studio"`, `"#rrggbb"`, a picture's file, or a picture (H, W, 3) of that size.
    The first frame ever compiles the kernels (see `warm_up`). The same pose gives the same bytes,
    whatever the number of `threads`. One renderer may be used from several threads at once.
    """

    def __init__(
        self,
        avatar: Avatar,
        size: tuple[int, int] = (512, 512),
        *,
        camera: Camera | None = None,
        background: str | Path | Picture = "studio",
        threads: int = 2,
    ) -> None:
        width, height = size
        if not (min(size) >= 16 and max(size) <= _LARGEST and width % 2 == height % 2 == 0):
            raise InputError(f"picture size {width}x{height}; valid: even numbers from 16 to {_LARGEST}")
        if not 1 <= threads <= 64:
            raise InputError(f"{threads} renderer threads; valid: 1 to 64")
        self.size, self.threads = size, threads
        self.camera = camera or Camera.portrait(avatar, size)
        self.background = backgrounds.make(size, background)
        self._scene = scenes.pack(avatar, skin_texels=1024 if height > _FINE_SKIN else 512)
        self._idle: deque[tuple[Canvas, list[Scratch]]] = deque()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="mien-render")

    def render(self, pose: FacePose, out: Picture | None = None) -> Picture:
        """Return (H, W, 3) uint8 sRGB, drawn into `out` when it is given. Raises `InputError`."""
        _check(pose)
        target = self._target(out)
        canvas, scratch = self.borrow()
        while len(scratch) < self.threads:
            scratch.append(canvas.scratch())
        canvas.place(pose)
        turns = itertools.count()  # one step of it is atomic: each band is taken once
        helpers = [self._pool.submit(_paint, canvas, target, turns, own) for own in scratch[1:]]
        _paint(canvas, target, turns, scratch[0])
        for helper in helpers:
            helper.result()
        self._idle.append((canvas, scratch))
        return target

    def render_yuv(self, pose: FacePose) -> Planes:
        """Return the picture of `render` as the planes that video encoders take."""
        from mien.avatar.render.canvas import to_planes

        return to_planes(self.render(pose))

    def frames(self, poses: Iterable[FacePose]) -> Iterator[Picture]:
        """Yield the picture of each pose, in order, drawing as many at once as there are threads.

        Faster than `render` frame by frame; takes poses a few frames ahead of what it yields.
        """
        return self._stream(poses, lambda picture: picture)

    def frames_yuv(self, poses: Iterable[FacePose]) -> Iterator[Planes]:
        """Yield the planes of each pose; see `frames` and `render_yuv`."""
        from mien.avatar.render.canvas import to_planes

        return self._stream(poses, to_planes)

    def close(self) -> None:
        """End the threads; nothing can be drawn afterwards."""
        self._pool.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _stream(self, poses: Iterable[FacePose], finish: Callable[[Picture], T]) -> Iterator[T]:
        def whole(pose: FacePose) -> T:
            return finish(self._alone(pose))

        waiting: deque[Future[T]] = deque()
        try:
            for pose in poses:
                _check(pose)
                waiting.append(self._pool.submit(whole, pose))
                if len(waiting) > self.threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for job in waiting:
                job.cancel()

    def _alone(self, pose: FacePose) -> Picture:
        target = self._target(None)
        canvas, scratch = self.borrow()
        canvas.place(pose)
        canvas.paint(target, 0, canvas.bands, scratch[0])
        self._idle.append((canvas, scratch))
        return target

    def borrow(self) -> tuple[Canvas, list[Scratch]]:
        """Take a canvas, and scratch space for its threads, that no one else draws on: for benchmarks."""
        try:
            return self._idle.pop()
        except IndexError:
            from mien.avatar.render.canvas import Canvas

            canvas = Canvas(self._scene, self.size, self.camera.matrix(self.size), self.background)
            return canvas, [canvas.scratch()]

    def _target(self, out: Picture | None) -> Picture:
        shape = (self.size[1], self.size[0], 3)
        if out is None:
            return np.empty(shape, np.uint8)
        if (
            out.shape != shape
            or out.dtype != np.uint8
            or not (out.flags.c_contiguous and out.flags.writeable)
        ):
            raise InputError(f"out is {out.dtype} {out.shape}; expected writable, contiguous uint8 {shape}")
        return out


def _paint(canvas: Canvas, out: Picture, turns: Iterator[int], scratch: Scratch) -> None:
    while (band := next(turns)) < canvas.bands:
        canvas.paint(out, band, band + 1, scratch)


def _check(pose: FacePose) -> None:
    for name, shape in (("weights", (52,)), ("head", (3,)), ("gaze", (2, 2))):
        values = getattr(pose, name)
        if np.shape(values) != shape:
            raise InputError(f"pose {name}: shape {np.shape(values)}; expected {shape}")
        if not (np.abs(values) <= _FARTHEST).all():
            raise InputError(f"pose {name}: {np.ravel(values).tolist()} is not within {_FARTHEST:g} of zero")

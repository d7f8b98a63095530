"""Pictures for clients that can not draw: the face of each moment as a JPEG, a little before it is seen."""

from __future__ import annotations

import asyncio
import io
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from mien.avatar.render.renderer import Renderer
from mien.errors import MienError, require
from mien.face.pose import FacePose, FaceTrack
from mien.persona.threads import in_thread
from mien.serve.realtime import frames
from mien.serve.realtime.items import Tell
from mien.serve.realtime.sound import CLOCK_HZ
from mien.serve.refusals import RefusedError

AHEAD_S = 0.6  # what is said later may begin before the end of what is known
QUALITY = 82


class Filming:
    """Draws for one session. `now`: the sample that is heard; `fps`: at most so many pictures a second.

    A renderer is opened in a thread, and closed with the session. Of pictures that are late only the last is
    drawn.
    """

    def __init__(
        self, tell: Tell, renderer: Callable[[], Renderer], fps: int, now: Callable[[], int]
    ) -> None:
        self._tell, self._now = tell, now
        self._every = round(frames.RATE_HZ / fps)  # frames of the face
        self._waiting: deque[tuple[int, FacePose]] = deque()
        self._drawing: int | None = None
        self._changed = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._run(renderer))

    def add(self, start: int, face: FaceTrack) -> None:
        """Take the frames of a face, the first at sample `start`, in place of all that lie later."""
        self.cut(start)
        first = -(start // frames.SAMPLES) % self._every
        for index in range(first, len(face), self._every):
            self._waiting.append((start + index * frames.SAMPLES, face.pose(index)))
        self._changed.set()

    def cut(self, start: int) -> None:
        """Draw nothing that lies at `start` or later."""
        while self._waiting and self._waiting[-1][0] >= start:
            self._waiting.pop()
        if self._drawing is not None and self._drawing >= start:
            self._drawing = None

    async def aclose(self) -> None:
        """Stop, and give the renderer back."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self, renderer: Callable[[], Renderer]) -> None:
        try:
            opened = await in_thread(renderer)
        except MienError as error:
            self._tell("error", error=RefusedError(str(error), "video_failed", "session.mien.video").table())
            return
        try:
            while True:
                sample, pose = await self._next()
                self._drawing = sample
                jpeg = await in_thread(draw, opened, pose)
                if self._drawing == sample:
                    self._tell("mien.video.frame", start=sample, jpeg=jpeg)
        finally:
            opened.close()

    async def _next(self) -> tuple[int, FacePose]:
        """Wait for the next picture that is worth drawing."""
        while True:
            now = self._now()
            while len(self._waiting) > 1 and self._waiting[1][0] <= now:
                self._waiting.popleft()
            early_s = (self._waiting[0][0] - now) / CLOCK_HZ - AHEAD_S if self._waiting else None
            if early_s is not None and early_s <= 0.0:
                return self._waiting.popleft()
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(early_s):
                    await self._changed.wait()


def draw(renderer: Renderer, pose: FacePose) -> bytes:
    """Return a picture as a JPEG."""
    image = require("PIL.Image", extra="video").fromarray(renderer.render(pose))
    file = io.BytesIO()
    image.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()

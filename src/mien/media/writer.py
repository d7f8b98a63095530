"""Writing a film: encoded in its own thread while the next picture is drawn, put in place when whole."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.atomic import refused, replacing
from mien.audio.pcm import Pcm
from mien.errors import InputError, require
from mien.media.captions import Caption
from mien.media.codecs import film_format
from mien.media.encoder import Encoder, Picture
from mien.media.rates import exact_rate

_AHEAD = 6  # pictures that may wait for the encoder


class FilmWriter:
    """Writes an MP4 (H.264, AAC) or WebM (VP9, Opus) film.

    `size`: width and height in pixels, both even. `fps`: pictures a second; 29.97 means 30000/1001.
    `audio_rate_hz`: rate of the sound that `audio` will get; None for a silent film.
    `alpha`: with transparency, which only WebM can hold.
    `captions`: a subtitle track; players show it when asked.
    `encoder`: an H.264 encoder in place of `$MIEN_H264_ENCODER` or libx264.
    `pictures`: how many were written; `busy_s`: wall seconds that the encoder's thread has worked.

    Use it in a `with` block: when the block ends well the finished file replaces `path` at once; on
    any exception nothing is left and an existing file stays as it was. Raises `InputError` for a suffix,
    size, rate or encoder that is not valid, `ResourceError` when the folder or disk refuses.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        size: tuple[int, int],
        fps: Fraction | float,
        audio_rate_hz: int | None = None,
        encoder: str | None = None,
        alpha: bool = False,
        captions: Sequence[Caption] = (),
    ) -> None:
        self.path, self._captions = Path(path), captions
        self.size, self.fps, self.audio_rate_hz = _even(size), exact_rate(fps), audio_rate_hz
        self._format, self.alpha = film_format(self.path, encoder, alpha=alpha), alpha
        self._stack = ExitStack()
        self._queue: queue.Queue[NDArray[Any] | None] = queue.Queue(_AHEAD)
        self._stop = threading.Event()
        self.pictures, self.busy_s = 0, 0.0
        self._error: BaseException | None = None

    def __enter__(self) -> FilmWriter:
        with ExitStack() as stack:
            aside = stack.enter_context(replacing(self.path))
            self._encoder = Encoder(
                aside, self._format, self.size, self.fps, self.audio_rate_hz, self._captions
            )
            self._stack = stack.pop_all()
        self._thread = threading.Thread(target=self._work, name="mien film encoder", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._end(whole=kind is None and self.pictures > 0)
            if kind is None:
                self._raise()
                if not self.pictures:
                    raise InputError(f"{self.path} would be empty: no picture was written")
        except BaseException as failure:
            self._leave(type(failure), failure, failure.__traceback__)
            raise
        self._leave(kind, error, trace)

    def _leave(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the thread, then put the file in place, or remove it after an error."""
        self._stop.set()
        self._thread.join()
        self._stack.__exit__(kind, error, trace)

    def audio(self, pcm: Pcm) -> None:
        """Append sound; raises `InputError` at another rate than `audio_rate_hz`."""
        if pcm.rate_hz != self.audio_rate_hz:
            raise InputError(f"this film's sound has {self.audio_rate_hz} Hz, not {pcm.rate_hz} Hz")
        self._put(np.array(pcm.samples, np.float32))

    def picture(self, image: Picture) -> None:
        """Append one picture: RGB uint8 `(H, W, 3)`, or BT.709 limited yuv420p planes `(H * 3 / 2, W)`; with
        `alpha` RGBA `(H, W, 4)`, or planes `(H * 5 / 2, W)`, alpha last.

        It is copied, so the caller may draw into the same array again. Waits while the encoder is behind.
        """
        width, height = self.size
        shapes = ((height, width, 4 if self.alpha else 3), (height * (5 if self.alpha else 3) // 2, width))
        if image.dtype != np.uint8 or image.shape not in shapes:
            takes = f"this film takes uint8 {shapes[0]}"
            raise InputError(f"a picture of {image.dtype} {image.shape}; {takes}")
        self._put(np.array(image, order="C"))
        self.pictures += 1

    def _put(self, item: NDArray[Any] | None) -> None:
        while True:
            self._raise()
            try:
                return self._queue.put(item, timeout=0.5)
            except queue.Full:
                continue

    def _end(self, *, whole: bool) -> None:
        if not whole:
            self._stop.set()
        elif self._error is None:
            self._put(None)
            self._thread.join()

    def _raise(self) -> None:
        if self._error is None:
            return
        av = require("av", extra="video")
        if isinstance(self._error, OSError | av.FFmpegError):
            raise refused(self._error, self.path) from self._error
        raise self._error

    def _work(self) -> None:
        """Encode what comes until the end, an error or a stop; the thread's only entry."""
        try:
            while (item := self._next()) is not None:
                began = time.perf_counter()
                if item.ndim == 1:
                    self._encoder.audio(item)
                else:
                    self._encoder.picture(item)
                self.busy_s += time.perf_counter() - began
            if self._stop.is_set():
                self._encoder.abandon()
            else:
                self._encoder.finish()
        except BaseException as error:  # noqa: BLE001 (raised again in the caller's thread)
            self._error = error
            self._encoder.abandon()

    def _next(self) -> NDArray[Any] | None:
        while not self._stop.is_set():
            try:
                return self._queue.get(timeout=0.1)
            except queue.Empty:
                continue
        return None


def _even(size: tuple[int, int]) -> tuple[int, int]:
    width, height = size
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise InputError(f"a film of {width}x{height} is not possible; valid: 16x16 to 8192x8192")
    if width % 2 or height % 2:
        fixed = f"{width + width % 2}x{height + height % 2}"
        raise InputError(f"a film of {width}x{height} is not possible: both must be even; use {fixed}")
    return size

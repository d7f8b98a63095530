"""Writing a film as numbered PNG pictures, put in place when all are made."""

from __future__ import annotations

import re
import secrets
import shutil
import time
from contextlib import ExitStack, suppress
from fractions import Fraction
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from mien.atomic import refused
from mien.audio.pcm import Pcm
from mien.errors import InputError, require
from mien.media.rates import exact_rate

NUMBERED = re.compile(r"[^%]*%(0\d)?d[^%]*\.png", re.IGNORECASE)
_QUICK = 1  # zlib's level: five times as fast as its usual one for a tenth more bytes


class PictureWriter:
    """Writes pictures (H, W, 3) sRGB, or (H, W, 4) with straight alpha, as PNG files `path % number`.

    `path`: a name with one number in it, such as `frames/%05d.png`; the first is 0. `fps` is only kept
    for who draws. `pictures`: how many were written; `busy_s`: wall seconds that writing took. Use it in a
    `with` block: the pictures appear when it ends well, and none of them after an exception. Raises
    `InputError` for a name without a number, `ResourceError` when the folder or disk refuses.
    """

    def __init__(self, path: Path | str, *, fps: Fraction | float) -> None:
        self.path, self.fps = Path(path), exact_rate(fps)
        if not NUMBERED.fullmatch(self.path.name):
            raise InputError(f"{self.path.name!r} does not number its pictures; write it as %05d.png")
        self.pictures, self.busy_s = 0, 0.0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        aside = self.path.parent / f".{secrets.token_hex(4)}.part"
        try:
            aside.mkdir(parents=True)
        except OSError as error:
            raise refused(error, self.path) from error
        self._aside = aside
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None:
                self._place()
        finally:
            shutil.rmtree(self._aside, ignore_errors=True)
            with suppress(OSError):
                self.path.parent.rmdir()  # only when nothing is in it

    def _place(self) -> None:
        if not self.pictures:
            raise InputError(f"{self.path} would be empty: no picture was written")
        try:
            for file in sorted(self._aside.iterdir()):
                file.replace(self.path.parent / file.name)
        except OSError as error:
            raise refused(error, self.path) from error

    def audio(self, pcm: Pcm) -> None:
        """Take sound, of which pictures show nothing."""

    def picture(self, image: NDArray[np.uint8]) -> None:
        """Write the next picture."""
        began = time.perf_counter()
        pillow = require("PIL.Image", extra="video")
        try:
            file = self._aside / (self.path.name % self.pictures)
            pillow.fromarray(image).save(file, format="PNG", compress_level=_QUICK)
        except OSError as error:
            raise refused(error, self.path) from error
        self.pictures += 1
        self.busy_s += time.perf_counter() - began

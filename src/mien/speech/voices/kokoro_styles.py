"""Kokoro's voice vectors: `(510, 1, 256)` float32, one style for each number of tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.contents import contents
from mien.errors import CorruptError, InputError, MissingError, nearest

ROWS, WIDTH = 510, 256

Styles = NDArray[np.float32]


def read(path: Path) -> Styles:
    """Read a voice vector: raw float32, or `.npy`. Returns `(510, 256)`.

    Raises `MissingError` when the file is not there, `CorruptError` when it is no voice vector.
    """
    data = contents(path, "voice vector")
    if path.suffix == ".npy":
        data = _npy(path)
    if len(data) != ROWS * WIDTH * 4:
        raise CorruptError(
            f"{str(path)!r} has {len(data):,} bytes of numbers; a Kokoro voice has {ROWS * WIDTH * 4:,}: "
            f"({ROWS}, 1, {WIDTH}) float32"
        )
    styles = np.frombuffer(data, np.float32).reshape(ROWS, WIDTH)
    if not np.isfinite(styles).all():
        raise CorruptError(f"{str(path)!r} holds numbers that are not finite; fetch it again")
    return styles


def blend(recipe: str, folder: Path) -> Styles:
    """Return voice `"af_heart"`, or a mixture `"af_heart:0.6+af_bella:0.4"`, of a folder's `.bin` files.

    Weights are scaled to sum to 1; a name without one counts 1. Raises `InputError` for a wrong recipe,
    `MissingError` for an unknown name.
    """
    parts = [_part(part.strip(), recipe) for part in recipe.split("+")]
    total = sum(weight for _, weight in parts)
    mixed = sum(_named(name, folder) * np.float32(weight / total) for name, weight in parts)
    return np.asarray(mixed, np.float32)


def _part(text: str, recipe: str) -> tuple[str, float]:
    name, _, weight = text.partition(":")
    try:
        value = float(weight or 1.0)
    except ValueError:
        value = 0.0
    if not name or not 0.0 < value < 1e6:
        raise InputError(f"voice blend {recipe!r}: {text!r} is not NAME:WEIGHT with a weight over 0")
    return name.strip(), value


def _named(name: str, folder: Path) -> Styles:
    voices = {file.stem: file for file in folder.glob("*.bin")}
    if name not in voices:
        raise MissingError(f"no Kokoro voice {name!r}{nearest(name, voices)}; or give 'path'")
    return read(voices[name])


def _npy(path: Path) -> bytes:
    try:
        return np.asarray(np.load(path, allow_pickle=False), np.float32).tobytes()
    except ValueError as error:
        raise CorruptError(f"{str(path)!r} is not a NumPy file: {error}") from None

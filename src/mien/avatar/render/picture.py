"""Pictures as files, and many of them on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.errors import InputError, ResourceError, require

Picture = NDArray[np.uint8]


def save_png(picture: Picture, file: Path) -> None:
    """Write (H, W, 3) uint8 sRGB. Raises `ResourceError` when the file can not be written."""
    pillow = require("PIL.Image", extra="video")
    aside = file.with_name(f".{file.name}.part")
    try:
        pillow.fromarray(picture).save(aside, format="PNG", optimize=True)
        aside.replace(file)
    except OSError as error:
        raise ResourceError(
            f"can not write {file}: {error.strerror or error}; choose another folder"
        ) from None
    finally:
        aside.unlink(missing_ok=True)


def sheet(pictures: Sequence[Picture], columns: int, gap: int = 4) -> Picture:
    """Return pictures of one size in rows of `columns`, `gap` white pixels between them."""
    if not pictures or columns < 1 or len({picture.shape for picture in pictures}) > 1:
        raise InputError(f"{len(pictures)} pictures in {columns} columns; expected pictures of one size")
    height, width = pictures[0].shape[:2]
    rows = -(-len(pictures) // columns)
    out = np.full((rows * (height + gap) - gap, columns * (width + gap) - gap, 3), 255, np.uint8)
    for index, picture in enumerate(pictures):
        top, left = index // columns * (height + gap), index % columns * (width + gap)
        out[top : top + height, left : left + width] = picture
    return out

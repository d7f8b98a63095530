"""The pictures of a glTF file: PNG and JPEG, decoded within limits."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien.avatar.files.accessors import Accessors
from mien.avatar.files.container import Source, fetch
from mien.errors import CorruptError, InputError, require

Picture = NDArray[np.uint8]
Image = Any  # PIL has no types for what a lazy import returns

MOST_PIXELS = 8192 * 8192  # of one picture
_FORMATS = ("PNG", "JPEG", "WEBP")


def read_picture(source: Source, accessors: Accessors, texture: int, side: int) -> Picture:
    """Return a texture (H, W, 4) uint8 sRGB, neither side longer than `side`.

    Raises `InputError` for a picture that is too large, `CorruptError` for one that can not be decoded.
    """
    entry = source.root.row("textures", texture)
    number = (
        entry.table("extensions")
        .table("EXT_texture_webp")
        .whole("source", entry.whole("source", -1, low=-1), low=-1)
    )
    image = source.root.row("images", number)
    if "bufferView" in image:
        data = accessors.view(image.whole("bufferView"))
    else:
        data = fetch(source.path, image.uri(), image.where)
    return decode(data, side, image.where)


def decode(data: bytes, side: int, where: str) -> Picture:
    """Decode a picture and make it no larger than `side`; its size is known before any of it is unpacked."""
    library = require("PIL.Image", extra="video")
    try:
        image: Image = library.open(BytesIO(data), formats=_FORMATS)
    except (OSError, ValueError, SyntaxError):
        raise CorruptError(f"{where}: not a PNG or JPEG picture; export it again") from None
    except library.DecompressionBombError:
        raise InputError(f"{where}: larger than any picture may be; scale it down") from None
    if image.width * image.height > MOST_PIXELS:
        raise InputError(
            f"{where}: {image.width} x {image.height} pixels; the most is {MOST_PIXELS:,}; scale it down"
        )
    with suppress(OSError):  # what can not be skipped is decoded whole
        image.draft("RGB", (side, side))
    try:
        image = image.convert("RGBA")
    except (OSError, ValueError, SyntaxError):
        raise CorruptError(f"{where}: its picture is broken; export it again") from None
    if max(image.size) > side:
        scale = side / max(image.size)
        size = [max(1, round(length * scale)) for length in image.size]
        image = image.resize(size, library.Resampling.BOX)
    return np.asarray(image, np.uint8)

"""What stands behind the head."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.avatar.render.office import office
from mien.errors import InputError, MissingError, require

Picture = NDArray[np.uint8]
_EDGE, _CENTER = (36, 44, 54), (112, 126, 138)  # sRGB
_WARM = (16, 9, 0)


def studio(size: tuple[int, int]) -> Picture:
    """Return (H, W, 3): a soft pool of light on a blue grey wall, with grain against banding."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    x, y = (x - width / 2) / height, 1 - y / height
    pool = np.exp(-((x + 0.12) ** 2 + (y - 0.58) ** 2 * 1.1) / 0.34)
    lamp = np.exp(-((x - 0.75) ** 2 + (y - 0.2) ** 2) / 0.25)
    edge, center = np.array(_EDGE, np.float64), np.array(_CENTER, np.float64)
    picture = edge + pool[..., None] * (center - edge) + lamp[..., None] * _WARM
    grain = np.random.default_rng(0).triangular(-1.0, 0.0, 1.0, (height, width, 1))
    shown: Picture = np.clip(picture + grain + 0.5, 0, 255).astype(np.uint8)
    return shown


def solid(size: tuple[int, int], color: str) -> Picture:
    """Return one colour everywhere; `color` is `#rrggbb`. Raises `InputError`."""
    match = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", color)
    if not match:
        raise InputError(f"background {color!r} is no colour; write it as #rrggbb, for example #00b140")
    rgb = [int(pair, 16) for pair in match.groups()]
    return np.full((size[1], size[0], 3), rgb, np.uint8)


def image(size: tuple[int, int], file: Path) -> Picture:
    """Return the picture in `file`, scaled to cover `size` and cut around its middle.

    Raises `MissingError` when there is no such file, `InputError` when it is no picture.
    """
    pillow, ops = require("PIL.Image", extra="video"), require("PIL.ImageOps", extra="video")
    try:
        with pillow.open(file) as opened:
            upright = ops.exif_transpose(opened).convert("RGB")
    except FileNotFoundError:
        raise MissingError(f"background {file} does not exist; give a PNG or JPEG, or #rrggbb") from None
    except (
        OSError,
        ValueError,
        SyntaxError,
        pillow.DecompressionBombError,
    ) as error:  # of Pillow
        raise InputError(f"background {file} can not be read as a picture: {error}") from None
    return np.array(ops.fit(upright, size, pillow.Resampling.LANCZOS))


def transparent(size: tuple[int, int]) -> Picture:
    """Return (H, W, 4): nothing."""
    return np.zeros((size[1], size[0], 4), np.uint8)


def make(size: tuple[int, int], background: str | Path | Picture) -> Picture:
    """Return (H, W, 3) from the name of a background, `"#rrggbb"`, a file, or a picture of that size;
    `"transparent"` gives (H, W, 4).
    """
    if isinstance(background, np.ndarray):
        if background.shape != (size[1], size[0], 3) or background.dtype != np.uint8:
            raise InputError(
                f"background is {background.dtype} {background.shape}; expected uint8 {(size[1], size[0], 3)}"
            )
        return np.array(background)
    if background in NAMED:
        return NAMED[str(background)](size)
    if isinstance(background, str) and background.startswith("#"):
        return solid(size, background)
    return image(size, Path(background))


NAMED = {"studio": studio, "office": office, "transparent": transparent}

"""A track as NumPy arrays: everything, exactly."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np

from mien.atomic import replacing
from mien.contents import contents
from mien.errors import CorruptError
from mien.face.pose import ARKIT_NAMES, FaceTrack

_SHAPES = {"weights": (len(ARKIT_NAMES),), "head": (3,), "gaze": (2, 2)}


def write(path: Path, track: FaceTrack) -> None:
    """Write `weights`, `head`, `gaze`, `rate_hz`, `start_s` and the blendshape `names`."""
    arrays = {name: getattr(track, name) for name in _SHAPES}
    with replacing(path) as aside, aside.open("wb") as file:
        np.savez_compressed(
            file,
            **arrays,
            names=np.array(ARKIT_NAMES),
            rate_hz=np.float64(track.rate_hz),
            start_s=np.float64(track.start_s),
        )


def read(path: Path | str) -> FaceTrack:
    """Read a track; raises `CorruptError` when arrays are missing, misshapen or not finite."""
    packed = contents(Path(path))
    try:
        with np.load(io.BytesIO(packed), allow_pickle=False) as data:
            arrays = [np.asarray(data[name], np.float32) for name in _SHAPES]
            rate, start = float(data["rate_hz"]), float(data["start_s"])
            names = tuple(data["names"].tolist())
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,  # where `names` is no row
        OSError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ):
        raise CorruptError(f"{str(path)!r} is no face track of mien, or is cut off: write it again") from None
    frames = len(arrays[0])
    fits = all(a.shape == (frames, *shape) for a, shape in zip(arrays, _SHAPES.values(), strict=True))
    if not fits or names != ARKIT_NAMES or rate <= 0.0 or not all(np.isfinite(a).all() for a in arrays):
        raise CorruptError(f"{str(path)!r} does not hold a face track: wrong shapes, names or values")
    weights, head, gaze = arrays
    return FaceTrack(weights, head, gaze, rate, start)

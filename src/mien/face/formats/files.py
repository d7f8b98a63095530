"""One way to write and read a track, the format chosen by the file's suffix."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from mien.errors import InputError, nearest
from mien.face.formats import a2f, livelink, npz
from mien.face.pose import FaceTrack
from mien.face.resample import resample

SUFFIXES = (".csv", ".json", ".npz")


def write(path: Path | str, track: FaceTrack, *, fps: float | Fraction | None = None) -> None:
    """Write Live Link Face CSV, Audio2Face JSON or NumPy by `path`'s suffix; all of it or nothing.

    `fps`: frames a second in a CSV or JSON; None keeps the track's own. An `.npz` always keeps the
    track as it is. Raises `InputError` for another suffix, `ResourceError` when the file can not be written.
    """
    path = Path(path)
    suffix = _suffix(path)
    if suffix == ".npz":
        npz.write(path, track)
        return
    track = resample(track, float(fps)) if fps is not None else track
    (livelink if suffix == ".csv" else a2f).write(path, track)


def read(path: Path | str, *, fps: float | None = None) -> FaceTrack:
    """Read a track back. `fps`: the rate of a CSV, which does not say it; None infers it from the timecodes.

    Raises `MissingError` when there is no file, `CorruptError` when it is not what its suffix says.
    """
    path = Path(path)
    match _suffix(path):
        case ".csv":
            return livelink.read(path, rate_hz=fps)
        case ".json":
            return a2f.read(path)
        case _:
            return npz.read(path)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"{path.name!r} is no face file: unknown suffix {suffix!r}{nearest(suffix, SUFFIXES)}"
        )
    return suffix

"""Live Link Face CSV: what the iPhone app records and Unreal Engine imports.

One row a frame: SMPTE timecode (non-drop), the number of values, 52 ARKit weights and nine rotations, in
radians, by mien's axes (see `mien.face.pose`); the eyes' roll is 0.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from mien.atomic import replacing
from mien.contents import contents
from mien.errors import CorruptError, InputError
from mien.face.pose import ARKIT_NAMES, FaceTrack

_ROTATIONS = tuple(
    f"{part}{axis}" for part in ("Head", "LeftEye", "RightEye") for axis in ("Yaw", "Pitch", "Roll")
)
COLUMNS = (*(name[0].upper() + name[1:] for name in ARKIT_NAMES), *_ROTATIONS)
HEADER = ("Timecode", "BlendShapeCount", *COLUMNS)
_ROW = ",".join(["%.8f"] * len(COLUMNS))
_TIMECODE = re.compile(r"(\d\d):(\d\d):(\d\d)[:;](\d\d\d?)(?:\.\d+)?")
_RATES = (24, 25, 30, 48, 50, 60, 100, 120)


class LiveLinkWriter:
    """Writes tracks that follow each other; see `open_writer`."""

    def __init__(self, file: BinaryIO, rate_hz: float) -> None:
        self._file, self._rate_hz = file, rate_hz
        self._frame: int | None = None
        file.write((",".join(HEADER) + "\n").encode())

    def write(self, track: FaceTrack) -> None:
        """Append a track; raises `InputError` when its rate is not the file's."""
        if track.rate_hz != self._rate_hz:
            raise InputError(
                f"track has {track.rate_hz} frames a second, the file {self._rate_hz}: resample first"
            )
        if self._frame is None:
            self._frame = round(track.start_s * track.rate_hz)
        for row in _table(track).tolist():
            line = f"{timecode(self._frame, self._rate_hz)},{len(COLUMNS)},{_ROW % tuple(row)}\n"
            self._file.write(line.encode())
            self._frame += 1


@contextmanager
def open_writer(path: Path, rate_hz: float) -> Iterator[LiveLinkWriter]:
    """Open a CSV for a stream of tracks; the file appears when the block ends without error."""
    with replacing(path) as aside, aside.open("wb") as file:
        yield LiveLinkWriter(file, rate_hz)


def write(path: Path, track: FaceTrack) -> None:
    """Write a whole track at its own rate."""
    with open_writer(path, track.rate_hz) as writer:
        writer.write(track)


def timecode(frame: int, rate_hz: float) -> str:
    """Return SMPTE `HH:MM:SS:FF` of a frame; 29.97 counts 30 frames to its second (non-drop)."""
    nominal = round(rate_hz)
    seconds, frames = divmod(frame, nominal)
    return f"{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}:{frames:02}"


def read(path: Path, *, rate_hz: float | None = None) -> FaceTrack:
    """Read a recording; `rate_hz` None takes the usual rate that fits its timecodes.

    Raises `CorruptError` naming the line when the file is not a Live Link Face CSV.
    """
    try:
        rows = list(csv.reader(io.StringIO(contents(path).decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error):
        raise CorruptError(f"{str(path)!r} is not text: no Live Link Face CSV") from None
    if not rows or [name.strip() for name in rows[0]] != list(HEADER):
        raise CorruptError(
            f"{str(path)!r} is no Live Link Face CSV: its first line is not {','.join(HEADER[:3])},..."
        )
    codes, values = _parse(path, rows[1:])
    rate = rate_hz or _infer_rate(codes)
    start = _frame_of(codes[0], rate) / rate if codes else 0.0
    gaze = values[:, 55:61].reshape(-1, 2, 3)[:, :, :2]
    return FaceTrack(values[:, :52].copy(), values[:, 52:55].copy(), gaze.copy(), float(rate), start)


def _table(track: FaceTrack) -> NDArray[np.float32]:
    eyes = np.zeros((len(track), 2, 3), np.float32)
    eyes[:, :, :2] = track.gaze
    return np.concatenate([track.weights, track.head, eyes.reshape(len(track), 6)], axis=1)


def _parse(path: Path, rows: list[list[str]]) -> tuple[list[tuple[int, ...]], NDArray[np.float32]]:
    codes, values = [], np.zeros((len(rows), len(COLUMNS)), np.float32)
    for i, row in enumerate(rows):
        match = _TIMECODE.fullmatch(row[0].strip()) if row else None
        try:
            values[i] = [float(cell) for cell in row[2:]]
        except ValueError:
            match = None
        if match is None or len(row) != len(HEADER) or not np.isfinite(values[i]).all():
            raise CorruptError(
                f"{str(path)!r} line {i + 2}: expected a timecode, 61 and {len(COLUMNS)} numbers; "
                "the file is cut off or damaged"
            )
        codes.append(tuple(int(part) for part in match.groups()))
    return codes, values


def _infer_rate(codes: list[tuple[int, ...]]) -> float:
    frames = max((code[3] for code in codes), default=0) + 1
    return float(next((rate for rate in _RATES if rate >= frames), frames))


def _frame_of(code: tuple[int, ...], rate_hz: float) -> int:
    hours, minutes, seconds, frames = code
    return (hours * 3600 + minutes * 60 + seconds) * round(rate_hz) + frames

"""Audio2Face JSON: `exportFps`, `numFrames`, `numPoses`, `facsNames`, `weightMat`; no head, no gaze."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from mien.atomic import replacing
from mien.contents import contents, parse_json
from mien.errors import CorruptError
from mien.face.pose import ARKIT_INDEX, ARKIT_NAMES, Array, FaceTrack

_DIGITS = 6


def write(path: Path, track: FaceTrack) -> None:
    """Write the track's weights at its own rate."""
    head = {
        "exportFps": track.rate_hz,
        "numFrames": len(track),
        "numPoses": len(ARKIT_NAMES),
        "facsNames": list(ARKIT_NAMES),
    }
    with replacing(path) as aside, aside.open("wb") as file:
        file.write((json.dumps(head)[:-1] + ', "weightMat": [').encode())
        for i, row in enumerate(track.weights.astype(np.float64).round(_DIGITS).tolist()):
            file.write(((",\n" if i else "\n") + json.dumps(row)).encode())
        file.write(b"\n]}\n")


def read(path: Path) -> FaceTrack:
    """Read weights by name, in any order and case; poses that ARKit does not have are left out.

    Raises `CorruptError` when the file is not Audio2Face JSON or its parts do not fit together.
    """
    try:
        data = parse_json(contents(path))
    except ValueError as error:
        raise CorruptError(f"{str(path)!r} is not JSON, or is cut off: {error}") from None
    names, rate, table = _parts(path, data)
    weights = np.zeros((len(table), len(ARKIT_NAMES)), np.float32)
    known = {name.lower(): unit for name, unit in ARKIT_INDEX.items()}
    columns = [(known[name.lower()], i) for i, name in enumerate(names) if name.lower() in known]
    if not columns:
        raise CorruptError(f"{str(path)!r} names no ARKit blendshape; export it with the ARKit names")
    for unit, column in columns:
        weights[:, unit] = table[:, column]
    frames = len(table)
    return FaceTrack(weights, np.zeros((frames, 3), np.float32), np.zeros((frames, 2, 2), np.float32), rate)


def _parts(path: Path, data: Any) -> tuple[list[str], float, Array]:
    try:
        names = [str(name) for name in data["facsNames"]]
        rate = float(data["exportFps"])
        table = np.array(data["weightMat"], np.float32).reshape(len(data["weightMat"]), len(names))
    except (KeyError, TypeError, ValueError):
        raise CorruptError(
            f"{str(path)!r} is no Audio2Face JSON: it needs exportFps, facsNames and weightMat, a row a frame"
        ) from None
    if rate <= 0.0 or not np.isfinite(table).all() or data.get("numFrames", len(table)) != len(table):
        raise CorruptError(f"{str(path)!r} does not hold what it says: {len(table)} rows at {rate} fps")
    return names, rate, table

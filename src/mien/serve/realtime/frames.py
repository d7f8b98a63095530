"""Faces as bytes: what a page draws 60 times a second."""

from __future__ import annotations

import numpy as np

from mien.face.pose import Array, FaceTrack

RATE_HZ = 60
SAMPLES = 400  # of the session's clock, from frame to frame
PER_RADIAN = 10_000
ROW = np.dtype([("weights", "u1", 52), ("head", "<i2", 3), ("gaze", "<i2", 4)])


def pack(track: FaceTrack) -> bytes:
    """Return the frames as rows of 66 bytes: weights in 255ths, angles in 10,000ths of a radian."""
    rows = np.zeros(len(track), ROW)
    rows["weights"] = np.rint(np.clip(track.weights, 0.0, 1.0) * 255)
    rows["head"] = _angles(track.head)
    rows["gaze"] = _angles(track.gaze.reshape(-1, 4))
    return rows.tobytes()


def unpack(data: bytes, start_s: float = 0.0) -> FaceTrack:
    """Return the frames of rows."""
    rows = np.frombuffer(data, ROW)
    return FaceTrack(
        (rows["weights"] / np.float32(255)).astype(np.float32),
        (rows["head"] / np.float32(PER_RADIAN)).astype(np.float32),
        (rows["gaze"] / np.float32(PER_RADIAN)).astype(np.float32).reshape(-1, 2, 2),
        RATE_HZ,
        start_s,
    )


def _angles(radians: Array) -> Array:
    angles: Array = np.clip(np.rint(radians * PER_RADIAN), -32_768, 32_767)
    return angles

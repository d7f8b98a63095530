"""Pictures of heads: one in a pose, or many on a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Avatar
from mien.avatar.sources import load
from mien.errors import InputError
from mien.face.pose import FacePose, weights
from mien.progress import Progress, silent

Picture = NDArray[np.uint8]

COLUMNS, TILE, GAP = 5, 320, 4  # of a sheet: pictures a row, pixels of a picture and between two
SIDEWAYS, UPRIGHT = 60.0, 40.0  # degrees that a head turns at most


def pose_of(named: Mapping[str, float], yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0) -> FacePose:
    """Return a pose of named ARKit weights, 0 to 1, and the head's angles in degrees; raises `InputError`."""
    for name, value in named.items():
        if not 0 <= value <= 1:
            raise InputError(f"{name} is {value:g}; a weight goes from 0 to 1")
    for word, angle, most in (("yaw", yaw, SIDEWAYS), ("pitch", pitch, UPRIGHT), ("roll", roll, UPRIGHT)):
        if not -most <= angle <= most:
            raise InputError(f"{word} is {angle:g} degrees; valid: {-most:g} to {most:g}")
    return FacePose(weights(named), np.radians(np.array([yaw, pitch, roll], np.float32)))


def portrait(
    avatar: Avatar,
    pose: FacePose,
    size: tuple[int, int] = (512, 512),
    background: str = "studio",
    progress: Progress = silent,
) -> Picture:
    """Return a picture of a head (H, W, 3)."""
    from mien.avatar.render import SoftwareRenderer, compiled, warm_up

    if not compiled():
        warm_up(lambda done, total, _: progress("compiling the renderer", done / total))
    with SoftwareRenderer(avatar, size, background=background, reduced=False) as renderer:
        return renderer.render(pose)


def sheet(names: Sequence[str], progress: Progress = silent) -> Picture:
    """Return the heads of these names side by side, each in a small smile."""
    pose = pose_of({"mouthSmile": 0.2}, yaw=8)
    rows = -(-len(names) // COLUMNS)
    columns = min(len(names), COLUMNS)
    whole = np.full((rows * (TILE + GAP) - GAP, columns * (TILE + GAP) - GAP, 3), 24, np.uint8)
    for i, name in enumerate(names):
        y, x = (step * (TILE + GAP) for step in divmod(i, COLUMNS))

        def tell(what: str, share: float, begun: int = i, of: str = name) -> None:
            progress(f"{of}: {what}", (begun + share) / len(names))

        whole[y : y + TILE, x : x + TILE] = portrait(load(name, tell), pose, (TILE, TILE), progress=tell)
    return whole

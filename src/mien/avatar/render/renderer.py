"""What any renderer does: an avatar's pose becomes a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from mien.errors import InputError
from mien.face.pose import FacePose

Picture = NDArray[np.uint8]
LARGEST = 8192  # pixels of a side
_FARTHEST = 10.0  # no weight or angle in radians is larger; renderers rely on it


class Renderer(Protocol):
    """Draws one avatar from one camera before one background.

    Pictures are (H, W, 3) uint8 sRGB. With `transparent` they are (H, W, 4) with straight alpha. Planes
    are BT.709 limited-range 4:2:0 as video encoders take them: (H * 3 / 2, W) uint8, Y above Cb above
    Cr; with `transparent` (H * 5 / 2, W), alpha below them. The same pose gives the same bytes. Poses out
    of range raise `InputError`.
    """

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    @property
    def transparent(self) -> bool:
        """Whether there is no background."""

    def render(self, pose: FacePose, out: Picture | None = None) -> Picture:
        """Return the picture of `pose`, drawn into `out` when it is given."""

    def render_yuv(self, pose: FacePose, out: Picture | None = None) -> Picture:
        """Return the planes of `pose`, drawn into `out` when it is given."""

    def frames(self, poses: Iterable[FacePose]) -> Iterator[Picture]:
        """Yield the picture of each pose, in order; may take poses a few frames ahead."""

    def frames_yuv(self, poses: Iterable[FacePose]) -> Iterator[Picture]:
        """Yield the planes of each pose, in order. Each is valid only until the next one is taken."""

    def close(self) -> None:
        """Give back what is held; nothing can be drawn afterwards."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


def check_size(size: tuple[int, int]) -> None:
    """Raise `InputError` for a size that no picture has."""
    width, height = size
    if not (min(size) >= 16 and max(size) <= LARGEST and width % 2 == height % 2 == 0):
        raise InputError(f"picture size {width}x{height}; valid: even numbers from 16 to {LARGEST}")


def check_pose(pose: FacePose) -> None:
    """Raise `InputError` for arrays of a wrong shape and for numbers that no face can show."""
    for name, shape in (("weights", (52,)), ("head", (3,)), ("gaze", (2, 2))):
        values = getattr(pose, name)
        if np.shape(values) != shape:
            raise InputError(f"pose {name}: shape {np.shape(values)}; expected {shape}")
        if not (np.abs(values) <= _FARTHEST).all():
            raise InputError(f"pose {name}: {np.ravel(values).tolist()} is not within {_FARTHEST:g} of zero")


def target(out: Picture | None, shape: tuple[int, ...]) -> Picture:
    """Return `out`, or a new array of `shape`; raises `InputError` when `out` can not be drawn into."""
    if out is None:
        return np.empty(shape, np.uint8)
    if out.shape != shape or out.dtype != np.uint8 or not (out.flags.c_contiguous and out.flags.writeable):
        raise InputError(f"out is {out.dtype} {out.shape}; expected writable, contiguous uint8 {shape}")
    return out

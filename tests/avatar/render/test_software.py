from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

import numpy as np

from mien.avatar.model import Avatar
from mien.avatar.render import SoftwareRenderer
from mien.face.pose import FacePose, weights

SIZE = (512, 512)
SMALL = 65_536  # bytes: a sixth of the planes of a picture


def speaking(count: int) -> list[FacePose]:
    turns = np.linspace(-0.1, 0.1, count)
    return [
        FacePose(weights({"jawOpen": 0.5 + turn}), np.array([turn, 0, 0], np.float32), np.zeros((2, 2)))
        for turn in turns
    ]


def grown(step: Callable[[], object]) -> int:
    """Return by how many bytes memory grows at most in 50 steps, after a hundred that fill small caches."""
    tracemalloc.start()
    try:
        for _ in range(100):
            step()
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        for _ in range(50):
            step()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def test_a_film_never_holds_64_kib_more_than_between_two_frames(toy: Avatar) -> None:
    """Small objects may come and go (futures, arrays of a few numbers); a picture or a plane of one, which
    would be larger, may not, nor may memory grow by as much in 50 frames.

    What tracemalloc sees is counted: objects of Python and arrays of NumPy.
    """
    with SoftwareRenderer(toy, SIZE) as renderer:
        frames = renderer.frames_yuv(speaking(160))
        assert grown(lambda: next(frames)) < SMALL


def test_one_picture_drawn_into_an_array_of_the_callers_makes_no_other(toy: Avatar) -> None:
    """The same bound as for films; a picture that is made is seen to break it."""
    with SoftwareRenderer(toy, SIZE) as renderer:
        picture, poses = np.empty((SIZE[1], SIZE[0], 3), np.uint8), iter(speaking(160))
        assert grown(lambda: renderer.render(next(poses), picture)) < SMALL
        assert grown(lambda: renderer.render(FacePose())) > SIZE[0] * SIZE[1]  # what a picture would add

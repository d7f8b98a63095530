"""Drawing the face: milliseconds of one picture by size, one after the other as they are asked for."""

from __future__ import annotations

import itertools
from contextlib import ExitStack
from typing import Final

import numpy as np

from mien.avatar import load
from mien.avatar.render import SoftwareRenderer, warm_up
from mien.bench.render import poses
from mien.bench.timed.budget import Budget, Sample, in_turn, timed_ms
from mien.bench.timed.plots import Curves, Panel
from mien.bench.timed.result import Result
from mien.progress import Progress

AVATAR: Final = "ava"
SIZES: Final = ((512, 512), (1280, 720), (1920, 1080))
THREADS: Final = (1, 2)


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Draw a head that speaks, blinks and turns; sizes and threads take turns."""
    tell("building the head", 0.0)
    avatar, track = load(AVATAR, tell), itertools.cycle(poses(40))
    warm_up(lambda done, total, _: tell("compiling the renderer", done / total))
    calls: dict[str, Sample] = {}
    with ExitStack() as stack:
        for size, threads in itertools.product(SIZES, THREADS):
            renderer = stack.enter_context(SoftwareRenderer(avatar, size, threads=threads))
            name = f"{size[0]}x{size[1]}, {threads} thread{'s' * (threads > 1)}"
            calls[name] = timed_ms(lambda made=renderer: made.render_yuv(next(track)))  # type: ignore[misc]
        tell("drawing", 0.0)
        taken = in_turn(calls, budget)
    for name, each in taken.items():
        result.add(name, "ms", each, group=f"One picture of {AVATAR}, planes for video")
    medians = {name: float(np.median(each.samples)) for name, each in taken.items()}
    _rates(result, medians)
    result.notes.append(
        "a picture is timed alone: a stream that draws ahead with two threads is faster (mien bench render)"
    )


def _rates(result: Result, medians: dict[str, float]) -> None:
    lines = {}
    for threads in THREADS:
        names = [f"{w}x{h}, {threads} thread{'s' * (threads > 1)}" for w, h in SIZES]
        pixels = [w * h / 1e6 for w, h in SIZES]
        lines[f"{threads} thread{'s' * (threads > 1)}"] = tuple(
            (x, 1e3 / medians[name]) for x, name in zip(pixels, names, strict=True)
        )
    result.plots.append(
        Curves("Pictures a second by size", "megapixels", (Panel("Rate", "pictures/s", lines, limit=30.0),))
    )

"""How fast heads are drawn: frames a second by size and threads, and milliseconds of each stage.

python benchmarks/render.py [ava|joe|FILE.npz ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from mien.avatar import Avatar, load
from mien.avatar.render import SoftwareRenderer, warm_up
from mien.face.pose import FacePose, weights

SIZES = ((512, 512), (1280, 720), (1920, 1080))
FRAMES, REPEATS = 20, 3


def poses(count: int) -> list[FacePose]:
    """Return a head that speaks, blinks and turns: some fifteen morph targets at once."""
    rng = np.random.default_rng(0)
    names = ("jawOpen", "mouthFunnel", "mouthPucker", "mouthSmile", "mouthLowerDown", "mouthUpperUp")
    made = []
    for i in range(count):
        named = {name: float(rng.uniform(0.05, 0.5)) for name in (*names, "eyeBlink", "browInnerUp")}
        head = np.array([0.1 * np.sin(i / 5), 0.05 * np.sin(i / 7), 0], np.float32)
        made.append(FacePose(weights(named), head, np.full((2, 2), 0.05, np.float32)))
    return made


def best_ms(call: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the least milliseconds of some calls."""
    times = []
    for _ in range(REPEATS):
        began = clock()
        call()
        times.append(clock() - began)
    return min(times) * 1e3


def rate(avatar: Avatar, size: tuple[int, int], threads: int) -> float:
    """Return frames a second of `frames`."""
    track = poses(FRAMES)
    with SoftwareRenderer(avatar, size, threads=threads) as renderer:
        list(renderer.frames(track[:2]))
        return FRAMES / best_ms(lambda: list(renderer.frames(track))) * 1e3


def stages(avatar: Avatar, size: tuple[int, int]) -> dict[str, float]:
    """Return CPU milliseconds of each stage of one frame on one thread."""
    pose, made = poses(1)[0], {}
    with SoftwareRenderer(avatar, size, threads=1) as renderer:
        picture = renderer.render(pose)
        canvas, (scratch, *_) = renderer.borrow()
        calls: dict[str, Callable[[], object]] = {
            "morph": lambda: canvas.morph(pose),
            "project": canvas.project,
            "sort": canvas.sort,
            "place (all three)": lambda: canvas.place(pose),
            "coverage": lambda: canvas.cover(scratch),
            "coverage, light, colour": lambda: canvas.paint(picture, 0, canvas.bands, scratch),
        }
        for name, call in calls.items():
            made[name] = best_ms(call, time.thread_time)
    return made


def main() -> None:
    """Print both tables for each head."""
    warm_up()
    for name in sys.argv[1:] or ["ava", "joe"]:
        avatar = load(name)
        triangles = sum(len(part.triangles) for part in avatar.parts)
        table = Table("size", "1 thread, fps", "2 threads, fps", title=f"{name}, {triangles} triangles")
        for size in SIZES:
            table.add_row(
                f"{size[0]}x{size[1]}", *(f"{rate(avatar, size, threads):.1f}" for threads in (1, 2))
            )
        Console().print(table)
        table = Table("stage, CPU ms a frame", *(f"{w}x{h}" for w, h in SIZES))
        columns = [stages(avatar, size) for size in SIZES]
        for stage in columns[0]:
            table.add_row(stage, *(f"{column[stage]:.1f}" for column in columns))
        Console().print(table)


if __name__ == "__main__":
    main()

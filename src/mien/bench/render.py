"""The figures of the renderer: frames a second by size and threads, and CPU milliseconds of each stage."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from mien.avatar import Avatar, load
from mien.avatar.render import SoftwareRenderer, save_png, warm_up
from mien.avatar.render.renderer import Renderer
from mien.bench.figures import Figures
from mien.face.pose import FacePose, weights
from mien.progress import Progress, silent

Size = tuple[int, int]
SIZES: tuple[Size, ...] = ((512, 512), (1280, 720), (1920, 1080))
ASKED = {(512, 512): 60.0, (1280, 720): 40.0, (1920, 1080): 20.0}  # frames a second on two cores
FRAMES, REPEATS = 20, 3
_SPOKEN = ("jawOpen", "mouthFunnel", "mouthPucker", "mouthSmile", "mouthLowerDown", "mouthUpperUp")


def run(
    name: str = "ava",
    sizes: tuple[Size, ...] = SIZES,
    *,
    frames: int = 0,
    pictures: Path | None = None,
    tell: Progress = silent,
) -> Figures:
    """Measure `name` at each of `sizes`.

    `frames` > 0 draws so many for the growth of memory; `pictures`: a folder for one picture of each size.
    """
    figures, avatar = Figures(), load(name, tell)
    warm_up(lambda done, total, _: tell("compiling the renderer", done / total))
    for i, size in enumerate(sizes):
        tell(f"{size[0]}x{size[1]}", i / len(sizes))
        _rates(figures, avatar, size)
        _opengl(figures, avatar, size)
        _stages(figures, avatar, size)
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            with SoftwareRenderer(avatar, size) as renderer:
                save_png(renderer.render(poses(1)[0]), pictures / f"{name}-{size[0]}x{size[1]}.png")
    if frames:
        tell("memory", 0.9)
        figures.add(f"growth of memory over {frames} frames", _growth_mb(avatar, frames), "MB", "<=", 4.0)
    return figures


def poses(count: int) -> list[FacePose]:
    """Return a head that speaks, blinks and turns: some fifteen morph targets at once."""
    rng, made = np.random.default_rng(0), []
    for i in range(count):
        named = {name: float(rng.uniform(0.05, 0.5)) for name in (*_SPOKEN, "eyeBlink", "browInnerUp")}
        head = np.array([0.1 * np.sin(i / 5), 0.05 * np.sin(i / 7), 0], np.float32)
        made.append(FacePose(weights(named), head, np.full((2, 2), 0.05, np.float32)))
    return made


def _best_ms(
    call: Callable[[], object], clock: Callable[[], float], before: Callable[[], object] | None = None
) -> float:
    times = []
    for _ in range(REPEATS):
        if before:
            before()
        began = clock()
        call()
        times.append(clock() - began)
    return min(times) * 1e3


def _rates(figures: Figures, avatar: Avatar, size: Size) -> None:
    track = poses(FRAMES)
    for threads in (1, 2):
        with SoftwareRenderer(avatar, size, threads=threads) as renderer:
            _drain(renderer, track[:2])
            best = _best_ms(lambda made=renderer: _drain(made, track), time.perf_counter)  # type: ignore[misc]
        asked = {"bound": ">=", "asked": ASKED[size]} if threads == 2 and size in ASKED else {}
        label = f"{size[0]}x{size[1]}, {threads} threads: planes for video"
        figures.add(label, FRAMES / best * 1e3, "frames/s", **asked)  # type: ignore[arg-type]


def _opengl(figures: Figures, avatar: Avatar, size: Size) -> None:
    """Add OpenGL's rate through EGL, to compare with: a GPU's, or that of Mesa on the CPU (llvmpipe)."""
    if find_spec("moderngl") is None:
        return
    from mien.avatar.render.gl import GlRenderer, device

    if (name := device()) is None:
        return
    track = poses(FRAMES)
    with GlRenderer(avatar, size) as renderer:
        _drain(renderer, track[:2])
        best = _best_ms(lambda: _drain(renderer, track), time.perf_counter)
    figures.add(f"{size[0]}x{size[1]}, OpenGL on {name}", FRAMES / best * 1e3, "frames/s")


def _drain(renderer: Renderer, track: list[FacePose]) -> None:
    for _ in renderer.frames_yuv(track):
        pass


def _stages(figures: Figures, avatar: Avatar, size: Size) -> None:
    """Add the CPU time of each stage of one frame on one thread."""
    pose = poses(1)[0]
    with SoftwareRenderer(avatar, size, threads=1) as renderer:
        picture, planes = renderer.render(pose), renderer.render_yuv(pose)
        canvas, (scratch, *_) = renderer.borrow()
        canvas.place(pose)
        calls: dict[str, Callable[[], object]] = {
            "morph targets": lambda: canvas.morph(pose),
            "projection": canvas.project,
            "sorting into tiles": canvas.sort,
            "placing: all of these": lambda: canvas.place(pose),
            "coverage": lambda: canvas.cover(scratch),
            "coverage, light, colours: RGB": lambda: canvas.paint(picture, 0, canvas.rows, scratch),
            "coverage, light, colours: planes": lambda: canvas.paint_planes(planes, 0, canvas.rows, scratch),
        }
        for stage, call in calls.items():
            figures.add(
                f"{size[0]}x{size[1]}: {stage}", _best_ms(call, time.thread_time, canvas.darken), "CPU ms"
            )


def _growth_mb(avatar: Avatar, frames: int) -> float:
    """Return by how much the peak of memory grows while `frames` are drawn, after some to warm up."""
    track = poses(50)
    with SoftwareRenderer(avatar, (256, 256)) as renderer:
        _drain(renderer, track)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(frames // len(track)):
            _drain(renderer, track)
        return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024

"""Heads drawn by a GPU through EGL: the table "Drawing on one GPU" of docs/benchmarks.md.

    python benchmarks/gpu/render.py --make PICTURES.npz HEAD.npz ...   # by the software renderer, anywhere
    python benchmarks/gpu/render.py --against PICTURES.npz HEAD.npz ...  # on the machine with the GPU

HEAD.npz: a head as `mien.avatar.cache` keeps it. Needs numpy, moderngl, and this repository on the path. The
pictures are compared before anything is timed. Nothing is encoded.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mien.avatar import cache
from mien.avatar.model import Avatar
from mien.avatar.render import SoftwareRenderer, save_png
from mien.avatar.render.gl import GlRenderer, Stage
from mien.avatar.render.renderer import Renderer
from mien.face.pose import FacePose, weights

HD = (1280, 720)
SIZES = ((512, 512), HD, (1920, 1080))
STREAMS = (1, 4, 20, 40)
LEAST_S, ROUNDS = 1.0, 3
LONG = 10_000  # frames over which memory is watched
FILM_FPS = 30


def speaking(count: int, start: int = 0) -> Iterator[FacePose]:
    """Yield the poses of a face that speaks: some fifteen targets at work."""
    for frame in range(start, start + count):
        t = frame / FILM_FPS
        jaw, wide = 0.25 + 0.25 * np.sin(17 * t), 0.3 + 0.3 * np.sin(7 * t)
        face = {
            "jawOpen": jaw, "mouthFunnel": 0.4 - jaw / 2, "mouthSmile": wide, "mouthStretch": 0.2 * wide,
            "mouthLowerDown": jaw, "mouthUpperUp": 0.3 * jaw, "eyeBlink": max(0.0, np.sin(2 * t)) ** 8,
            "browInnerUp": 0.3, "cheekSquint": 0.3 * wide,
        }  # fmt: skip
        yield FacePose(
            weights({name: float(value) for name, value in face.items()}),
            head=np.array([0.2 * np.sin(t), 0.05 * np.sin(2 * t), 0], np.float32),
        )


def shown(renderer: Renderer) -> np.ndarray:
    return np.stack([renderer.render(pose) for pose in list(speaking(90))[::30]])


def compare(head: Avatar, stage: Stage, wanted: np.ndarray) -> None:
    with GlRenderer(head, HD, stage=stage) as renderer:
        drawn = shown(renderer)
    apart = np.abs(drawn.astype(int) - wanted)[:, 100:620, 400:880]
    print(f"{head.name}: mean {apart.mean():.2f}, 99 in 100 within {np.percentile(apart, 99):.0f} levels")
    if apart.mean() > 3:
        raise SystemExit("the pictures differ: nothing is timed")
    save_png(np.concatenate([drawn[1], wanted[1]], axis=1), Path(f"{head.name}-gpu-software.png"))


def rate(work: Iterator[object]) -> float:
    """Return how often a second `work` yields, the first tenth of it left out."""
    for _ in range(10):
        next(work)
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < LEAST_S:
        next(work)
        count += 1
    return count / (time.perf_counter() - start)


def single(head: Avatar, stage: Stage) -> None:
    for size in SIZES:
        with GlRenderer(head, size, stage=stage) as renderer:
            kinds = {"RGB": renderer.frames, "planes": renderer.frames_yuv}
            fps = {
                name: max(rate(kind(speaking(10**9))) for _ in range(ROUNDS)) for name, kind in kinds.items()
            }
        print(f"one stream {size[0]}x{size[1]}: {fps['RGB']:.0f} fps RGB, {fps['planes']:.0f} fps planes")


def together(heads: list[Avatar], stage: Stage) -> None:
    """Time many streams of planes, each with a pose of its own, one frame of each in turn."""
    for count in STREAMS:
        renderers = [GlRenderer(heads[i % len(heads)], HD, stage=stage) for i in range(count)]
        streams = [r.frames_yuv(speaking(10**9, 7 * i)) for i, r in enumerate(renderers)]
        ticks = max(rate(zip(*streams, strict=True)) for _ in range(ROUNDS))
        for stream, renderer in zip(streams, renderers, strict=True):
            stream.close()  # type: ignore[attr-defined]
            renderer.close()
        print(f"{count} streams 1280x720: {ticks:.1f} fps each, {count * ticks:.0f} fps together")


def lasting(head: Avatar, stage: Stage) -> None:
    """Draw for long, and say by how much this process grew after its first tenth."""
    used = []
    with GlRenderer(head, HD, stage=stage) as renderer:
        for number, _ in enumerate(renderer.frames_yuv(speaking(LONG))):
            if number in (LONG // 10, LONG - 1):
                used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    print(f"{LONG} frames: memory grew by {(used[1] - used[0]) / 1024:.1f} MB after frame {LONG // 10}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("heads", nargs="+", type=Path)
    options.add_argument("--make", type=Path, help="draw the pictures to compare with, and stop")
    options.add_argument("--against", type=Path, help="compare with these pictures first")
    given = options.parse_args()
    heads = [cache.read(path) for path in given.heads]
    if given.make:
        pictures = {}
        for head in heads:
            with SoftwareRenderer(head, HD) as renderer:
                pictures[head.name] = shown(renderer)
        np.savez_compressed(given.make, **pictures)
        return
    with Stage() as stage:
        print(stage.device)
        wanted = np.load(given.against) if given.against else {}
        for head in heads:
            if head.name in wanted:
                compare(head, stage, wanted[head.name])
        single(heads[0], stage)
        together(heads, stage)
        lasting(heads[0], stage)


if __name__ == "__main__":
    main()

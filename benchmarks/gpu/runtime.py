"""How many streams one engine serves in real time, batched: a table for docs/benchmarks-engine.md.

    python benchmarks/gpu/runtime.py DECODER.onnx --device cuda --streams 100,400,1600 [--chain FP32.onnx]

`benchmarks/gpu/engine.py` leaves a DECODER.onnx in its folder.

Each stream asks for a chunk of 32 frames (0.37 s of sound) as often as that lasts, with that as its deadline.
On a GPU machine PyTorch's CUDA libraries are used, when it is there. `--chain`: also what falling back costs.
"""

import argparse
import asyncio
import contextlib
import time

with contextlib.suppress(ImportError):
    import torch  # noqa: F401 - first: ONNX Runtime then finds its CUDA libraries
import numpy as np

import mien.engine
from mien.engine.runtime import Limits, Machine, Settings, Terms
from mien.errors import ResourceError

CHUNK_S, FRAMES = 32 * 256 / 22_050, 52


async def stream(engine, number, end, latent, taken, lost):
    await asyncio.sleep((number * 0.618 % 1) * CHUNK_S)
    due = time.perf_counter()
    while due < end:
        began = time.perf_counter()
        try:
            await engine.submit(Terms(session=number, within_s=CHUNK_S), latent=latent)
            taken.append(time.perf_counter() - began)
        except ResourceError:
            lost.append(number)
        due += CHUNK_S
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def serve(engine, count, seconds, latent):
    taken, lost = [], []
    end = time.perf_counter() + seconds
    await asyncio.gather(*(stream(engine, n, end, latent, taken, lost) for n in range(count)))
    return np.array(taken) * 1e3, len(lost)


def table(path, arguments, latent):
    print("| streams | workers | runs | requests a run | p50 ms | p99 ms | over 372 ms | refused |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for workers in (1, 2):
        settings = Settings(most=arguments.most, queue_ms=400, workers=workers)
        with mien.engine.load(path, machine=Machine(device=arguments.device), settings=settings) as engine:
            engine.warm_up(latent=latent)
            curve = engine.costs(latent=latent)
            if workers == 1:
                alone(engine, latent, arguments.most)
            for count in arguments.streams:
                before = engine.counts.runs, engine.counts.requests
                ms, refused = asyncio.run(serve(engine, count, arguments.seconds, latent))
                runs, asked = engine.counts.runs - before[0], engine.counts.requests - before[1]
                p50, p99 = np.percentile(ms, (50, 99))
                over = int((ms > 1e3 * CHUNK_S).sum())
                print(
                    f"| {count} | {workers} | {runs} | {asked / max(1, runs):.1f} | {p50:.1f} | {p99:.1f} "
                    f"| {over} | {refused} |"
                )
    print(
        "cost of a batch, ms:",
        engine.unbatched,
        {size: round(1e3 * s, 2) for size, s in curve.items()},
        engine.residency(),
    )


def alone(engine, latent, most):
    """Print what a launch takes past the queue."""
    for batch in (size for size in (1, 8, 64) if size <= most):
        given, ms = np.repeat(latent, batch, axis=0), []
        for _ in range(60):
            began = time.perf_counter()
            engine.run(latent=given)
            ms.append(1e3 * (time.perf_counter() - began))
        p50, p99 = np.percentile(ms[10:], (50, 99))
        print(f"batch {batch}: {p50:.2f} / {p99:.2f} ms {engine.unbatched}")


def price(path, arguments, latent):
    """Let the first link's launches be too slow by decree, and say what the next ones cost."""
    settings, machine = Settings(), Machine(device=arguments.device)
    limits = Limits(launch_ms=1e-3, cooldown_s=0.5)
    with mien.engine.load(
        path, machine=machine, fallbacks=[arguments.chain], settings=settings, limits=limits
    ) as engine:
        end = time.perf_counter() + 8
        while time.perf_counter() < end:
            engine.run(latent=latent)
        print(engine.states())
        for each in engine.penalties():
            print(each)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("decoder")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--most", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--streams", type=lambda text: [int(n) for n in text.split(",")], default=[2, 4, 8])
    parser.add_argument("--chain")
    arguments = parser.parse_args()
    latent = np.random.default_rng(0).standard_normal((1, 192, FRAMES)).astype(np.float32)
    table(arguments.decoder, arguments, latent)
    if arguments.chain:
        price(arguments.decoder, arguments, latent)


if __name__ == "__main__":
    main()

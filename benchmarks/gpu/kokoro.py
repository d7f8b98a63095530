"""Kokoro on one GPU for 1, 8 and 64 callers at once, through mien's queue: a table, and kokoro.json.

    python benchmarks/gpu/kokoro.py KOKORO.onnx -o FOLDER [--device cuda] [--callers 1,8,64]

A batch is sentences side by side on streams of their own: rows of one run would be heard by each other
(docs/engine-reference.md). Every caller has a sentence of its own length, which was spoken before. What each
worker makes is compared with a run alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import time
from pathlib import Path

with contextlib.suppress(ImportError):
    import torch  # noqa: F401 - first: ONNX Runtime then finds its CUDA libraries
import numpy as np

import mien.engine
from mien.engine import graph, metrics
from mien.engine.runtime import Limits, Machine, ServedEngine, Settings, Terms
from mien.speech.voices import kokoro_graph

RATE_HZ = 24_000
LIMITS = Limits(launch_ms=60_000.0)  # nothing is answered by the CPU instead
LENGTHS = (20, 32, 48, 64, 80, 96, 112, 128)  # tokens


def sentence(tokens: int) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(tokens)
    ids = np.concatenate([[0], draw.integers(43, 157, tokens), [0]])[None].astype(np.int64)
    style = (0.1 * draw.standard_normal((1, 256))).astype(np.float32)
    ones = np.ones((1, tokens + 2), np.float32)
    return {"tokens": ids, "style": style, "speed": np.ones(1, np.float32), "stretch": ones}


async def together(engine: ServedEngine, callers: int) -> tuple[float, list[float], float]:
    """Return the seconds for all, those of each caller, and the seconds of sound."""
    began, taken = time.perf_counter(), []

    async def call(number: int) -> float:
        said = sentence(LENGTHS[number % len(LENGTHS)])
        sound = (await engine.submit(Terms(session=number), **said))["audio"]
        taken.append(time.perf_counter() - began)
        return sound.size / RATE_HZ

    sound_s = sum(await asyncio.gather(*(call(number) for number in range(callers))))
    return time.perf_counter() - began, taken, sound_s


def distance_db(engine: ServedEngine, alone: dict[int, np.ndarray]) -> float:
    """Return how far sentences side by side are from each alone, log-mel; lengths must agree."""

    async def all_of() -> list[np.ndarray]:
        answers = await asyncio.gather(*(engine.submit(Terms(), **sentence(n)) for n in alone))
        return [each["audio"].reshape(-1) for each in answers]

    metric = metrics.LogMel(RATE_HZ)
    for made, wanted in zip(asyncio.run(all_of()), alone.values(), strict=True):
        if made.shape != wanted.shape:
            return float("nan")
        metric.add(wanted, made)
    return metric.value


def measured(path: Path, given: argparse.Namespace, workers: int) -> list[dict[str, float]]:
    settings = Settings(most=1, queue_ms=600_000, workers=workers)
    rows = []
    with mien.engine.load(
        path, machine=Machine(device=given.device), settings=settings, limits=LIMITS
    ) as engine:
        alone = {n: engine.run(**sentence(n))["audio"].reshape(-1).copy() for n in LENGTHS[: given.lengths]}
        apart = distance_db(engine, alone)
        for callers in given.callers:
            runs = [asyncio.run(together(engine, callers)) for _ in range(given.runs + 1)][1:]
            wall, taken, sound_s = min(runs, key=lambda run: run[0])
            rows.append(
                {
                    "workers": workers,
                    "callers": callers,
                    "ms": 1e3 * wall,
                    "median_ms": 1e3 * float(np.median([each for each, _, _ in runs])),
                    "p50_ms": 1e3 * float(np.median(taken)),
                    "p99_ms": 1e3 * float(np.percentile(taken, 99)),
                    "real_time": sound_s / wall,
                    "log_mel_db": apart,
                }
            )
            print("| " + " | ".join(f"{value:.4g}" for value in rows[-1].values()) + " |", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kokoro", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--device", default="cuda")
    numbers = {"type": lambda text: [int(each) for each in text.split(",")]}
    parser.add_argument("--callers", default=[1, 8, 64], **numbers)
    parser.add_argument("--workers", default=[1, 2, 4, 8], **numbers)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--lengths", type=int, default=len(LENGTHS), help="of them, compared with runs alone")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / "kokoro.onnx"
    if not path.exists():
        path.write_bytes(kokoro_graph.prepare(graph.load(given.kokoro)).SerializeToString())
    print("| at a time | callers | ms | median | p50 of a caller | p99 | times real time | log-mel, dB |")
    print("| ---: |" + " ---: |" * 7)
    rows = [row for workers in given.workers for row in measured(path, given, workers)]
    (given.out / "kokoro.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()

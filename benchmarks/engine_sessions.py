"""What the voices' one queue gives sessions, and what batches give on this machine's processor: two tables.

    python benchmarks/engine_sessions.py joe --callers 4,8

Each caller hears a long sentence, twice, and takes sound at most half a second ahead of its ears. `in turn`:
the voice's steps one after the other in one thread, as they come, past the queue. The queue is there so that
sound does not break off; with few callers it can cost first sounds, which the table shows, too.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing

import numpy as np
import onnx

from mien import packs
from mien.engine import graph
from mien.engine.backends import onnxruntime
from mien.engine.stop import Stop
from mien.engine.timing import come_to_rest
from mien.speech.breath import Breath, Piece
from mien.speech.voice import SpeechChunk, Voice
from mien.speech.voices import piper_model, registry
from mien.speech.voices.worker import Chunks

TEXT = (
    "The quick brown fox jumps over the lazy dog while the old clock in the hall strikes eleven and "
    "everybody waits for the train to the coast."
)
AHEAD_S, BREAK_S = 0.5, 0.005


class InTurn:
    """Steps one after the other, in one thread."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1)

    async def stream(self, make: Callable[[Stop], Chunks]) -> AsyncGenerator[SpeechChunk, None]:
        items, loop = make(Stop()), asyncio.get_running_loop()
        while (item := await loop.run_in_executor(self._executor, next, items, None)) is not None:
            yield item


async def call(voice: Voice, delay: float, firsts: list[float], waits: list[float]) -> None:
    await asyncio.sleep(delay)
    for _ in range(2):
        began, end = time.perf_counter(), 0.0
        async with aclosing(voice.speak(Breath((Piece(TEXT, "en-us"),)))) as chunks:
            async for chunk in chunks:
                now = time.perf_counter()
                if end:
                    waits.append(max(0.0, now - end))
                else:
                    firsts.append(now - began)
                end = max(end, now) + chunk.pcm.duration_s
                await asyncio.sleep(max(0.0, end - time.perf_counter() - AHEAD_S))
        await asyncio.sleep(max(0.0, end - time.perf_counter()) + 0.3)


async def together(voice: Voice, callers: int) -> str:
    firsts: list[float] = []
    waits: list[float] = []
    await asyncio.gather(*(call(voice, 0.37 * n % 3.1, firsts, waits) for n in range(callers)))
    ms = 1e3 * np.array(firsts)
    broken = [wait for wait in waits if wait > BREAK_S]
    percentiles = " | ".join(f"{np.percentile(ms, p):.0f}" for p in (50, 95))
    return f"{percentiles} | {len(broken)} of {len(waits)} | {1e3 * sum(broken):.0f}"


def sessions(name: str, counts: list[int]) -> None:
    voice = registry.load({"kind": "piper", "name": name})
    workers = {"in turn": InTurn(), "one queue": voice._worker}
    print("| callers | | first sound p50 ms | p95 ms | breaks | ms of them in all |")
    print("| ---: | --- | ---: | ---: | ---: | ---: |")
    for callers in [1, *counts]:
        for how, worker in workers.items():
            voice._worker = worker
            row = asyncio.run(together(voice, callers))
            if callers > 1:  # the first warms up
                print(f"| {callers} | {how} | {row} |", flush=True)


def vad() -> onnx.ModelProto:
    """Return Silero VAD for any number of streams: axis 0 of the sound, axis 1 of the state."""
    model = graph.load(packs.path("silero-vad") / "silero_vad_16k.onnx")
    for info in (*model.graph.input, *model.graph.output):
        axis = info.type.tensor_type.shape.dim[1 if info.name.startswith("state") else 0]
        axis.dim_param = "batch"
    del model.graph.value_info[:]
    return model


def batches(name: str, sizes: tuple[int, ...] = (1, 2, 4, 8)) -> None:
    draw = np.random.default_rng(0)

    def noise(*shape: int) -> np.ndarray:
        return 0.1 * draw.standard_normal(shape, np.float32)

    decoder = piper_model.prepared(registry.piper_file(name)) / "decoder.onnx"
    turn = packs.path("smart-turn") / "smart-turn-v3.2-cpu.onnx"
    models = {
        "Silero VAD": (vad(), lambda n: {"input": noise(n, 576), "state": noise(2, n, 128)}),
        "Smart Turn": (graph.load(turn), lambda n: {"input_features": noise(n, 80, 800)}),
        "vocoder, 52 frames": (graph.load(decoder), lambda n: {"latent": noise(n, 192, 52)}),
    }
    print("| ms a row, in a batch of | " + " | ".join(map(str, sizes)) + " |")
    print("| --- |" + " ---: |" * len(sizes))
    for label, (model, inputs) in models.items():
        engine = onnxruntime.parse(model.SerializeToString(), name=label)
        cells = [f"{best(engine, inputs(size)) / size:.3g}" for size in sizes]
        print(f"| {label} | " + " | ".join(cells) + " |", flush=True)


def best(engine: onnxruntime.OnnxRuntimeEngine, inputs: dict[str, np.ndarray]) -> float:
    taken = []
    for _ in range(6):
        come_to_rest()
        for _ in range(2):
            began = time.perf_counter()
            engine.run(**inputs)
            taken.append(1e3 * (time.perf_counter() - began))
    return min(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("voice")
    parser.add_argument(
        "--callers", default=[4, 8], type=lambda text: [int(each) for each in text.split(",")]
    )
    given = parser.parse_args()
    batches(given.voice)
    sessions(given.voice, given.callers)


if __name__ == "__main__":
    main()

"""The vocoder and Kokoro on one CUDA GPU: the GPU tables of docs/benchmarks-engine.md.

    python benchmarks/gpu/engine.py VOICE.onnx --kokoro KOKORO.onnx -o FOLDER

Needs PyTorch, onnxruntime-gpu, onnx, onnx2torch and this repository on the path, nothing else; where a part
can not run, its row says why. Every engine is compared with ONNX Runtime on the CPU before it is timed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch  # first: ONNX Runtime then finds PyTorch's CUDA libraries

# isort: split
import numpy as np
import onnx
import onnxruntime as ort

import mien.engine
from mien.bench import batches, curve
from mien.bench.batches import ENGINE
from mien.bench.turns import Spread
from mien.engine import graph
from mien.engine.backends import cuda
from mien.engine.precision import fp16
from mien.engine.precision.plan import named
from mien.engine.runtime import Machine

HOP, RATE_HZ, CHANNELS = 256, 22_050, 192
WINDOW, CONTEXT = 32, 20  # frames of a chunk, and of context on its two sides together
CHUNK_S = WINDOW * HOP / RATE_HZ
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
YARDSTICKS = (1, 8, 64)
LEAST_RUNS, LEAST_S = 30, 1.0
FULL = "CUDA graph, tf32"  # measured at every batch size
ONCE = range(61, 121, 2)  # tokens of sentences that are spoken once each

Run = Callable[[np.ndarray], np.ndarray]


def noise(batch: int) -> np.ndarray:
    """Return a latent (batch, channels, frames)."""
    draw = np.random.default_rng(batch)
    return draw.standard_normal((batch, CHANNELS, WINDOW + CONTEXT), np.float32)


@dataclass
class Row:
    """Latency of one launch, copies to and from the GPU included."""

    name: str
    batch: int
    p50_ms: float
    p99_ms: float
    error: float

    @property
    def real_time(self) -> float:
        """Seconds of sound made in a second."""
        return self.batch * CHUNK_S / self.p50_ms * 1e3


def timed(run: Run, latent: np.ndarray) -> tuple[float, float]:
    """Return the median and the 99th percentile of a run, milliseconds, after warming up."""
    for _ in range(5):
        run(latent)
    times: list[float] = []
    end = time.perf_counter() + LEAST_S
    while len(times) < LEAST_RUNS or time.perf_counter() < end:
        began = time.perf_counter()
        run(latent)
        times.append((time.perf_counter() - began) * 1e3)
    return float(np.median(times)), float(np.percentile(times, 99))


def on_cuda(model: onnx.ModelProto, batch: int = 0, *, tf32: bool = False, **options: int | str) -> Run:
    """Return the model on ONNX Runtime's CUDA provider as mien sets it; `batch`: of a CUDA graph.

    A session must be kept for each batch: at another shape, cuDNN's plan of every convolution is made anew.
    """
    made = cuda.settings(0, tf32=tf32, capture=bool(batch)) | options
    session = ort.InferenceSession(model.SerializeToString(), providers=[(cuda.PROVIDER, made)])
    assert session.get_providers()[0] == cuda.PROVIDER, "CUDA is not used"
    return _captured(session) if batch else lambda latent: session.run(None, {"latent": latent})[0]


def _captured(session: ort.InferenceSession) -> Run:
    """Return a run that replays a captured graph between buffers that stay where they are."""
    replay = cuda.Replay(ort, session, "cuda")
    return lambda latent: replay.run({"latent": latent})[0]


def through_mien(model: onnx.ModelProto, folder: Path, tf32: bool) -> Run:
    """Return the model as `mien.engine.load` gives it: sessions for each size, the queue left out."""
    path = folder / "decoder.onnx"
    path.write_bytes(model.SerializeToString())
    engine = mien.engine.load(path, machine=Machine(device="cuda", tf32=tf32))
    return lambda latent: engine.run(latent=latent)["audio"]


def in_torch(model: onnx.ModelProto, dtype: torch.dtype, how: str) -> Run:
    """Return the model as a PyTorch module: `eager`, `compile` or `script`."""
    from onnx2torch import convert

    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    module = convert(model).eval().to("cuda", dtype)
    example = torch.zeros(1, CHANNELS, WINDOW + CONTEXT, device="cuda", dtype=dtype)
    if how in ("compile", "reduce-overhead"):
        module = torch.compile(module, dynamic=False, mode=None if how == "compile" else how)
    if how == "script":
        module = torch.jit.trace(module, example)

    def run(latent: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return module(torch.from_numpy(latent).to("cuda", dtype)).float().cpu().numpy()

    return run


def half(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return the model in fp16, inputs and outputs as they were."""
    model = onnx.shape_inference.infer_shapes(named(model))
    return fp16.convert(model, fp16.candidates(model))


def vocoder(model: onnx.ModelProto, folder: Path, compiled: bool) -> list[Row]:
    """Measure the vocoder in every form that runs here; `compiled`: also by PyTorch's compiler (minutes)."""
    searched = {"cudnn_conv_algo_search": "EXHAUSTIVE"}
    graphed: dict[str, tuple[onnx.ModelProto, dict[str, int | str]]] = {
        "fp32": (model, {}),
        "tf32": (model, {"tf32": 1}),
        "tf32, NCHW": (model, {"tf32": 1, "prefer_nhwc": 0}),
        "tf32, NCHW, exhaustive search": (model, {"tf32": 1, "prefer_nhwc": 0} | searched),
        "fp16": (half(model), {"tf32": 1}),
        "fp16, NCHW": (half(model), {"tf32": 1, "prefer_nhwc": 0}),
        "fp16, NCHW, exhaustive search": (half(model), {"tf32": 1, "prefer_nhwc": 0} | searched),
    }
    makers: dict[str, Callable[[int], Run]] = {"CUDA EP, fp32": lambda _: on_cuda(model)}
    for name, (form, options) in graphed.items():
        makers[f"CUDA graph, {name}"] = lambda batch, f=form, o=options: on_cuda(f, batch, **o)
    for tf32 in (False, True):
        engine = through_mien(model, folder, tf32)
        makers[f"mien, {'tf32' if tf32 else 'fp32'}"] = lambda _, engine=engine: engine
    for how in ("eager", "script", *(("compile", "reduce-overhead") if compiled else ())):
        for precision in (torch.float32, torch.float16):
            makers[f"PyTorch {how}, {str(precision)[6:]}"] = lambda _, h=how, p=precision: in_torch(
                model, p, h
            )
    reference = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    rows = []
    for name, make in makers.items():
        for batch in BATCHES if name == FULL else YARDSTICKS:
            latent = noise(batch)
            try:
                run = make(batch)
                wanted, found = reference.run(None, {"latent": latent[:4]})[0], run(latent)[:4]
                error = float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))
                rows.append(Row(name, batch, *timed(run, latent), error))
            except Exception as problem:  # noqa: BLE001 (a yardstick that fails is a row of the table)
                print(f"{name}, batch {batch}: {type(problem).__name__}: {str(problem)[:200]}", flush=True)
                break
            row = rows[-1]
            print(
                f"{name}, batch {batch}: {row.p50_ms:.2f} / {row.p99_ms:.2f} ms, "
                f"{row.real_time:.0f} x, error {error:.1e}",
                flush=True,
            )
    return rows


def picture(rows: list[Row], path: Path) -> None:
    """Draw throughput and latency over the batch size, the knee marked."""
    by_batch: dict[int, dict[str, Spread]] = {}
    for row in rows:
        name = ENGINE if row.name == FULL else row.name
        if name in (ENGINE, "CUDA graph, fp16", "PyTorch eager, float32", "PyTorch eager, float16"):
            by_batch.setdefault(row.batch, {})[name] = Spread(row.p50_ms, row.p99_ms, row.p50_ms, LEAST_RUNS)
    found = [batches.Row(batch, times) for batch, times in sorted(by_batch.items()) if ENGINE in times]
    curve.draw(batches.Batches(0, tuple(found)), path)


def streams(runs: dict[int, Run], seconds: float = 3.0) -> list[tuple[int, float]]:
    """Return the p99, ms, from a chunk's request to its sound for ever more streams, until it is too late.

    Every stream asks for its next chunk each `CHUNK_S`, at a phase of its own; what waits goes together.
    """
    found, count = [], 500
    while True:
        late = float(np.percentile(_serve(runs, count, seconds), 99))
        found.append((count, late * 1e3))
        print(f"{count} streams: p99 {late * 1e3:.1f} ms of {CHUNK_S * 1e3:.0f}", flush=True)
        if late > CHUNK_S or count >= 64_000:
            return found
        count = round(count * 1.5)


def _serve(runs: dict[int, Run], count: int, seconds: float) -> np.ndarray:
    phases = np.sort(np.random.default_rng(0).uniform(0, CHUNK_S, count))
    due = np.concatenate([phases + i * CHUNK_S for i in range(int(seconds / CHUNK_S))])
    sizes = sorted(runs)
    latents = {b: noise(b) for b in sizes}
    for size, latent in latents.items():
        runs[size](latent)
    late, taken, began = np.zeros(len(due)), 0, time.perf_counter()
    while taken < len(due):
        ready = int(np.searchsorted(due, time.perf_counter() - began)) - taken
        if ready <= 0:
            continue
        size = next((b for b in sizes if b >= ready), sizes[-1])
        runs[size](latents[size])
        done = min(ready, size)
        late[taken : taken + done] = time.perf_counter() - began - due[taken : taken + done]
        taken += done
    return late


def parts(model: onnx.ModelProto) -> dict[str, float]:
    """Return what falling back costs, ms: a launch on the GPU and on the CPU, and the copies alone."""
    latent = noise(1)
    cpu = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    there = torch.zeros(1, 1, (WINDOW + CONTEXT) * HOP, device="cuda")
    began = time.perf_counter()
    gpu = on_cuda(model)
    gpu(latent)
    cold = (time.perf_counter() - began) * 1e3
    return {
        "fp16 on the GPU": timed(on_cuda(half(model)), latent)[0],
        "tf32 on the GPU, captured": timed(on_cuda(model, 1, tf32=True), latent)[0],
        "fp32 on the GPU": timed(gpu, latent)[0],
        "fp32 on the CPU": timed(lambda x: cpu.run(None, {"latent": x})[0], latent)[0],
        "copy in": timed(lambda x: torch.from_numpy(x).cuda().sum().cpu().numpy(), latent)[0],
        "copy out": timed(lambda _: there.cpu().numpy(), latent)[0],
        "session made and first launch": cold,
    }


def kokoro(path: Path) -> list[dict[str, object]]:
    """Measure Kokoro, whose graph speaks one sentence at a time: known lengths, and new ones."""
    from mien.speech.voices import kokoro_graph

    model = kokoro_graph.prepare(graph.load(path))
    rows: list[dict[str, object]] = []
    exhaustive = {"cudnn_conv_algo_search": "EXHAUSTIVE"}
    for name, tf32, more in (("fp32", False, {}), ("tf32", True, {}), ("tf32, exhaustive", True, exhaustive)):
        session = _kokoro(model, cuda.settings(0, tf32=tf32, capture=False) | more)
        rows += [_known(session, name, tokens) for tokens in (20, 80, 200)]
        rows.append({"name": name, "tokens": "61 to 119, each once"} | _once_each(session))
        print(rows[-1], flush=True)
    rows += [_known(_kokoro(model, None), "CPU", tokens) for tokens in (20, 80)]
    return rows


def _kokoro(model: onnx.ModelProto, options: dict[str, object] | None) -> ort.InferenceSession:
    providers = ["CPUExecutionProvider"] if options is None else [(cuda.PROVIDER, options)]
    return ort.InferenceSession(model.SerializeToString(), providers=providers)


def _known(session: ort.InferenceSession, name: str, tokens: int) -> dict[str, object]:
    """Speak one sentence again and again."""
    feeds = _sentence(tokens)
    p50, p99 = timed(lambda _: session.run(["audio"], feeds)[0], np.zeros(0))
    sound_s = session.run(["audio"], feeds)[0].size / 24_000
    print(f"Kokoro {name}, {tokens} tokens: {p50:.1f} / {p99:.1f} ms for {sound_s:.1f} s", flush=True)
    return {"name": name, "tokens": tokens, "p50_ms": p50, "p99_ms": p99, "sound_s": sound_s}


def _once_each(session: ort.InferenceSession) -> dict[str, float]:
    """Speak sentences of lengths not seen before, as in a conversation."""
    times, sound_s = [], 0.0
    for tokens in ONCE:
        feeds = _sentence(tokens)
        began = time.perf_counter()
        sound_s += session.run(["audio"], feeds)[0].size / 24_000
        times.append((time.perf_counter() - began) * 1e3)
    return {
        "p50_ms": float(np.median(times)),
        "p99_ms": float(np.percentile(times, 99)),
        "sound_s": sound_s / len(times),
    }


def _sentence(tokens: int) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(tokens)
    ids = np.concatenate([[0], draw.integers(43, 157, tokens), [0]])[None].astype(np.int64)
    style = (0.1 * draw.standard_normal((1, 256))).astype(np.float32)
    ones = np.ones((1, tokens + 2), np.float32)
    return {"tokens": ids, "style": style, "speed": np.ones(1, np.float32), "stretch": ones}


def _drawn(rows: list[Row], path: Path) -> list[dict[str, object]]:
    picture(rows, path)
    return [vars(row) | {"real_time": row.real_time} for row in rows]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("voice", type=Path, help="a Piper voice, or its decoder cut out already")
    arguments.add_argument("--kokoro", type=Path)
    arguments.add_argument("-o", "--out", type=Path, required=True)
    arguments.add_argument("--compiled", action="store_true", help="also PyTorch's compiler")
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    model = graph.load(given.voice)
    if "latent" not in {info.name for info in model.graph.input}:
        from mien.speech.voices import piper_graph

        model = piper_graph.split(model)["decoder"]
    print(
        torch.cuda.get_device_name(0), "torch", torch.__version__, "onnxruntime", ort.__version__, flush=True
    )
    results: dict[str, object] = {"device": torch.cuda.get_device_name(0), "chunk_ms": CHUNK_S * 1e3}
    steps: dict[str, Callable[[], object]] = {
        "parts": lambda: parts(model),
        "vocoder": lambda: _drawn(vocoder(model, given.out, given.compiled), given.out / "knee.png"),
        "streams": lambda: streams({b: on_cuda(model, b, tf32=True) for b in (1, 8, 32, 64, 128, 256)}),
    }
    if given.kokoro:
        steps["kokoro"] = lambda: kokoro(given.kokoro)
    for name, step in steps.items():
        try:
            results[name] = step()
        except Exception as problem:  # noqa: BLE001 (the other figures are still wanted)
            results[name] = f"{type(problem).__name__}: {problem}"
            print(name, results[name], file=sys.stderr, flush=True)
        (given.out / "gpu.json").write_text(json.dumps(results, indent=1))
    print(json.dumps(results["parts"]))


if __name__ == "__main__":
    main()

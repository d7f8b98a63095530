"""What it costs when an engine is set aside: how much slower the next one is, and what comes once on top.

The chain that serves engines (`mien.engine.runtime.Chain`) falls back by its own rule: its first link is told
that its memory is short. The price is split into recompute (the request on the other engine) and state
(loading it, and what its first run takes beyond a later one). Nothing is copied: a request's inputs stay in
the host's memory until an engine runs; what a run on a GPU copies is in `benchmarks/gpu/engine.py`.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from mien.bench.timed.budget import Budget, Clock, Taken, timed_ms
from mien.bench.timed.material import latent, vocoder
from mien.bench.timed.plots import Shares
from mien.bench.timed.result import Result
from mien.engine import graph
from mien.engine.backends import onnxruntime, openvino
from mien.engine.engine import Engine
from mien.engine.precision import fp16
from mien.engine.precision.plan import named
from mien.engine.runtime.chain import Chain, Limits, Link
from mien.engine.runtime.memory import Level
from mien.errors import MienError
from mien.progress import Progress

PARTS: Final = ("recompute", "state")
_ROOM: Final = Level("what this bench pretends", 1, 100)
_FULL: Final = Level("what this bench pretends", 100, 100)
_RUNS: Final = 4  # on each side of a fall


@dataclass(frozen=True, slots=True)
class Way:
    """From what is wanted to what answers in its place."""

    name: str
    wanted: Callable[[], Engine]
    to: Callable[[], Engine]


def ways() -> list[Way]:
    """Return all ways down; which of them this machine has shows when they are tried."""
    path = vocoder()
    model = named(graph.load(path))
    half = fp16.convert(model, fp16.candidates(model)).SerializeToString()
    return [
        Way("GPU → CPU", lambda: _on_gpu(path), lambda: onnxruntime.load(path)),
        Way("fp16 → fp32", lambda: onnxruntime.parse(half, name="fp16"), lambda: onnxruntime.load(path)),
        Way(
            "OpenVINO → ONNX Runtime",
            lambda: openvino.load(path, threads=onnxruntime.usual_threads()),
            lambda: onnxruntime.load(path),
        ),
        Way(
            "tuned → as it comes",
            lambda: onnxruntime.load(path),
            lambda: onnxruntime.plain(path),
        ),
    ]


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Fall and come back, each way in turn, until the time is over."""
    logging.getLogger("mien.engine.runtime.chain").setLevel(logging.ERROR)  # it warns of each fall
    inputs = latent()
    falls: dict[str, list[dict[str, float]]] = {}
    left = ways()
    for done in itertools.count():
        if (done >= 3 and budget.is_over) or not left:
            break
        tell("falls", min(1.0, budget.spent_s / budget.seconds))
        for way in list(left):
            try:
                falls.setdefault(way.name, []).append(fall(way, inputs))
            except MienError as error:
                result.notes.append(f"{way.name} is left out: {error}")
                left.remove(way)
    show(result, {name: rows for name, rows in falls.items() if len(rows) > 1})


def fall(way: Way, inputs: np.ndarray, clock: Clock = time.perf_counter) -> dict[str, float]:
    """Let a chain run, take away its first engine, and return milliseconds of the parts.

    Raises what loading the first engine raises: the chain itself would go on with the next one.
    """
    wanted, short = way.wanted(), [_ROOM]
    chain = Chain(
        [Link("wanted", lambda: wanted, lambda: short[0]), Link("next", way.to)],
        Limits(launch_ms=60_000.0, cooldown_s=3600.0, look_s=0.0),
    )
    once = timed_ms(lambda: chain.run(latent=inputs), clock=clock)
    before = [once() for _ in range(_RUNS)][1:]
    short[0] = _FULL
    first = once()
    after = [once() for _ in range(_RUNS)]
    steady = float(np.median(after))
    return {
        "wanted": float(np.median(before)),
        "recompute": steady,
        "state": max(0.0, first - steady),
        "whole": first,
    }


def show(result: Result, falls: dict[str, list[dict[str, float]]]) -> None:
    """Add the penalty of each way, the price of the fall itself, and its parts."""
    for name, rows in falls.items():
        whole = [row["whole"] for row in rows]
        result.add(f"{name}: falling", "ms", Taken(whole[1:], whole[:1]), group="The request that falls")
    for name, rows in falls.items():
        ratios = [row["recompute"] / row["wanted"] for row in rows]
        result.add(f"{name}: later", "", Taken(ratios[1:], ratios[:1]), group="Times as long as before")
    parts = {
        name: {part: float(np.median([row[part] for row in rows[1:]])) for part in PARTS}
        for name, rows in falls.items()
    }
    result.plots.append(Shares("The request that falls, in its parts", "ms", parts))
    result.notes.append(
        "recompute: the request on the other engine; state: the other engine is loaded, and its first run is "
        "slower; nothing is copied, since inputs stay in the host's memory"
    )


def _on_gpu(path: Path) -> Engine:
    return onnxruntime.load(path, onnxruntime.Options(device="cuda"))

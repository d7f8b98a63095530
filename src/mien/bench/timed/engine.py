"""One model in all forms that this machine has: how long a run takes, and how far it is from fp32."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import numpy as np

from mien.bench.timed.budget import Budget, in_turn, timed_ms
from mien.bench.timed.material import VOCODER, latent, vocoder
from mien.bench.timed.plots import Front
from mien.bench.timed.result import Result
from mien.engine import graph
from mien.engine.backends import onnxruntime, openvino
from mien.engine.engine import Engine, Tensor
from mien.engine.precision import fp16, weights
from mien.engine.precision.plan import named
from mien.engine.timing import come_to_rest
from mien.errors import MienError
from mien.progress import Progress

REFERENCE: Final = "ONNX Runtime, fp32"
_GROUP: Final = "The vocoder of the voice joe, 0.6 s of speech"


def run(budget: Budget, result: Result, tell: Progress) -> None:
    """Let all forms of one model take turns."""
    tell("engines", 0.0)
    inputs = {"latent": latent()}
    engines = forms(result)
    calls = {
        name: timed_ms(partial(engine.run, **inputs), before=come_to_rest) for name, engine in engines.items()
    }
    taken = in_turn(calls, budget)
    for name, each in taken.items():
        result.add(name, "ms", each, group=_GROUP)
    wrong = errors(engines, inputs)
    points = [(name, float(np.median(taken[name].samples)), 100 * wrong[name]) for name in engines]
    result.plots.append(Front("Time and error", "ms a run, median", "error against fp32, %", tuple(points)))
    result.notes.append(
        f"{VOCODER}: a run is one window, before which the process comes to rest; an error is the largest "
        "difference, as a share of the largest value"
    )


def forms(result: Result) -> dict[str, Engine]:
    """Return the model in all forms that this machine has; those it has not are notes."""
    path = vocoder()
    model = named(graph.load(path))
    ways: dict[str, Callable[[], Engine]] = {
        REFERENCE: lambda: onnxruntime.load(path),
        "ONNX Runtime, fp32, one thread": lambda: onnxruntime.load(path, onnxruntime.Options(threads=1)),
        "ONNX Runtime as it comes": lambda: onnxruntime.plain(path),
        "OpenVINO, fp32": lambda: openvino.load(path, threads=onnxruntime.usual_threads()),
        "ONNX Runtime, fp16": lambda: _parsed(fp16.convert(model, fp16.candidates(model)), "fp16"),
        "ONNX Runtime, weights in int8": lambda: _parsed(
            weights.store(model, weights.candidates(model)), "w8"
        ),
    }
    made: dict[str, Engine] = {}
    for name, make in ways.items():
        try:
            made[name] = make()
        except MienError as error:
            result.notes.append(f"{name} is left out: {error}")
    return made


def errors(engines: Mapping[str, Engine], inputs: Mapping[str, Tensor]) -> dict[str, float]:
    """Return how far each is from the first, as a share of the first one's largest value."""
    (output,) = (port.name for port in engines[REFERENCE].outputs)
    wanted = engines[REFERENCE].run(**inputs)[output]
    most = float(np.abs(wanted).max())
    return {
        name: float(np.abs(engine.run(**inputs)[output] - wanted).max()) / most
        for name, engine in engines.items()
    }


def _parsed(model: object, precision: str) -> Engine:
    options = onnxruntime.Options(fold_weights=precision == "w8")
    return onnxruntime.parse(model.SerializeToString(), options, name=precision)  # type: ignore[attr-defined]

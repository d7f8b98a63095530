"""What is asked of the compiler, and the key that stands for all its result depends on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from mien.engine import cache
from mien.engine import manifest as manifests
from mien.engine.recipe import AUTO
from mien.engine.samples import Samples
from mien.engine.targets import Target

VERSION = 2  # of what the compiler makes: part of every key


@dataclass(frozen=True, slots=True)
class Request:
    """What to make of a model file.

    `data`: path of a `.npz` or `random:COUNT[,AXIS=SIZE...]`. `budget`: `METRIC=LIMIT`. `keep`: patterns
    of nodes that stay fp32. `calibration`: `auto`, `minmax`, `percentile` or `entropy`. `rate_hz`: of
    outputs that are sound. `shapes`: `AXIS=LEAST:USUAL:MOST` of free axes, for targets that build ahead of
    time. `trusted`: the file is not validated in a child process first. `out` None: in the cache.
    `command`: what the user typed, for the manifest.
    """

    source: Path
    out: Path | None = None
    target: str = "cpu"
    precision: str = "fp32"
    data: str | None = None
    budget: str | None = None
    keep: tuple[str, ...] = ()
    calibration: str = AUTO
    rate_hz: int | None = None
    allow_slower: bool = False
    force: bool = False
    shapes: tuple[str, ...] = ()
    trusted: bool = False
    command: tuple[str, ...] = field(default=(), compare=False)


def rebuild(request: Request) -> tuple[str, ...]:
    """Return the command line that asks for the same."""
    words = ["mien", "compile", str(request.source), "--target", request.target]
    words += ["--precision", request.precision]
    for option, value in (("--data", request.data), ("--budget", request.budget), ("-o", request.out)):
        words += [option, str(value)] if value is not None else []
    for option, values in (("--keep", request.keep), ("--shape", request.shapes)):
        words += [word for value in values for word in (option, value)]
    return tuple(words)


def key(request: Request, source: Path, target: Target, samples: Samples | None) -> str:
    """Return the sha256 of all that the engine depends on; `source` is the model as ONNX."""
    backend, device = manifests.place_of(target)
    parts = [
        VERSION,
        cache.fingerprint(source),
        target.name,
        request.precision,
        request.budget,
        sorted(request.keep),
        sorted(request.shapes),
        request.calibration,
        request.rate_hz,
        samples.origin if samples is not None else None,
        backend,
        device,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

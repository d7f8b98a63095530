"""Building a plan in a child process, and holding what came out against what was asked."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mien.engine.backends.report import answered
from mien.engine.backends.tensorrt_rtx import library, plan
from mien.engine.backends.tensorrt_rtx.plan import Contents
from mien.engine.backends.tensorrt_rtx.shapes import Profile
from mien.engine.sandbox import Worker
from mien.errors import CorruptError

_GIB: Final = 1 << 30
_TIME_S: Final = 1_800.0
_SHOWN: Final = {library.RTX: "TensorRT-RTX", "tensorrt": "TensorRT"}


@dataclass(frozen=True, slots=True)
class Built:
    """A plan's bytes, what they hold, the network's inputs and outputs, and how long it took."""

    data: bytes
    contents: Contents
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    layers: int
    seconds: float


def version(name: str = library.RTX) -> str:
    """Return the library's version; raises `MissingError` when it is not installed."""
    return library.version(name)


def worker(task: str, model_bytes: int) -> Worker:
    """Return a child for the library, with room for a model of this size."""
    return Worker(task, memory_bytes=12 * _GIB + 8 * model_bytes, file_bytes=2 * _GIB + 4 * model_bytes)


def build(
    model: bytes,
    capabilities: Sequence[str],
    profile: Profile,
    *,
    name: str = library.RTX,
    time_s: float = _TIME_S,
) -> Built:
    """Build a model without external data for compute capabilities (`"8.9"`), or for the GPU that is here.

    `name`: `tensorrt-rtx`, or `tensorrt`, which builds for the GPU that is here alone: without capabilities.

    Raises `InputError` with the library's own reason and `CorruptError` when the plan is not for what was
    asked; `mien diagnose` says more.
    """
    library.version(name)
    with tempfile.TemporaryDirectory() as folder, worker("tensorrt-rtx-build", len(model)) as child:
        source, out = Path(folder) / "model.onnx", Path(folder) / "model.plan"
        source.write_bytes(model)
        asked: dict[str, Any] = {"capabilities": list(capabilities), "profile": profile, "out": str(out)}
        asked["name"] = name
        answer = answered(_SHOWN[name], child.ask(source, time_s=time_s, **asked))
        data = out.read_bytes()
    contents = plan.read(data)
    if capabilities and set(contents.capabilities) != set(capabilities):
        raise CorruptError(
            f"the plan was to run on compute capability {', '.join(capabilities)} and says "
            f"{', '.join(contents.capabilities) or 'nothing that mien can read'}; it is not used"
        )
    return Built(
        data, contents, answer["inputs"], answer["outputs"], answer["layers"], float(answer["seconds"])
    )

"""PyTorch as a yardstick: an ONNX model as a module, run eagerly, compiled and scripted; never to serve."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from mien.engine.engine import Engine, Port, Tensor
from mien.engine.stop import Stop
from mien.errors import InputError, require

EXTRA: Final = "torch"
_log = logging.getLogger(__name__)


class TorchEngine:
    """A callable on tensors with the face of an engine."""

    def __init__(
        self, ports: tuple[tuple[Port, ...], tuple[Port, ...]], call: Callable[..., Any], device: str = "cpu"
    ) -> None:
        self.inputs, self.outputs = ports
        self.metadata: dict[str, str] = {}
        self._call, self._device = call, device

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> dict[str, Tensor]:
        """Compute every output; raises `InputError` with PyTorch's reason."""
        torch = require("torch", extra=EXTRA)
        try:
            with torch.inference_mode():
                given = [torch.from_numpy(inputs[port.name]).to(self._device) for port in self.inputs]
                made = self._call(*given)
        except Exception as error:  # noqa: BLE001 - a yardstick may fail in any way: it is counted
            raise InputError(f"PyTorch can not compute it: {' '.join(str(error).split())[:200]}") from None
        values = made if isinstance(made, (tuple, list)) else [made]
        return {port.name: np.asarray(v.cpu()) for port, v in zip(self.outputs, values, strict=False)}


def missing() -> str:
    """Return why there is no yardstick, or `""`."""
    absent = [name for name in ("torch", "onnx2torch") if find_spec(name) is None]
    return (
        f"{' and '.join(absent)} not installed: no PyTorch beside it; pip install 'mien[{EXTRA}]'"
        if absent
        else ""
    )


def load(
    path: Path, like: Engine, sample: Mapping[str, Tensor], *, threads: int = 0, device: str = "cpu"
) -> dict[str, Engine]:
    """Return `eager`, `torch.compile` and `TorchScript` of a model file; raises `InputError` when it can not.

    A form that PyTorch refuses is left out of the mapping only when it can not even be made.
    """
    torch, onnx2torch = (require(name, extra=EXTRA) for name in ("torch", "onnx2torch"))
    if threads:
        torch.set_num_threads(threads)
    try:
        module = onnx2torch.convert(str(path)).eval().to(device)
    except Exception as error:  # noqa: BLE001 - its converters raise whatever they meet
        raise InputError(f"onnx2torch can not read {str(path)!r}: {str(error)[:200]}") from None
    ports = like.inputs, like.outputs
    made: dict[str, Engine] = {"eager": TorchEngine(ports, module, device)}
    made["torch.compile"] = TorchEngine(ports, torch.compile(module), device)
    given = tuple(torch.from_numpy(np.array(sample[port.name])).to(device) for port in like.inputs)
    try:
        with warnings.catch_warnings(), torch.inference_mode():
            warnings.simplefilter("ignore")  # a trace warns of each branch that it fixes
            traced = torch.jit.trace(module, given, check_trace=False)
            made["TorchScript"] = TorchEngine(ports, traced, device)
    except Exception as error:  # noqa: BLE001 - tracing raises whatever it meets
        _log.warning("TorchScript can not be made: %s", str(error)[:200])
    return made


def counted() -> tuple[int, int]:
    """Return how many graphs `torch.compile` has made, and how often it had to break one."""
    counters = require("torch._dynamo.utils", extra=EXTRA).counters
    return int(counters["stats"]["unique_graphs"]), int(sum(counters["graph_break"].values()))

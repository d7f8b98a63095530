"""ONNX Runtime on the CPU."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mien.engine.engine import Port, Tensor
from mien.engine.inputs import check_inputs
from mien.engine.stop import Stop, Stopped
from mien.errors import CorruptError, InputError, MissingError, require

if TYPE_CHECKING:
    from types import ModuleType

_DTYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(int8)": np.int8,
    "tensor(uint8)": np.uint8,
    "tensor(bool)": np.bool_,
}
_MAX_THREADS = 4  # the voices' layers are too small to gain from more


@dataclass(frozen=True, slots=True)
class Options:
    """How a session uses the machine.

    `threads`: threads inside one operator; 0 takes the usable cores, four at most.
    `spin`: threads wait busily for the next operator (never between runs): faster, and takes the cores.
    `arena`: keep freed memory for the next run: faster, and its peak stays taken.
    `fold_weights`: weights that the file holds in int8 become float when it is loaded.
    """

    threads: int = 0
    spin: bool = True
    arena: bool = True
    fold_weights: bool = False


class OnnxRuntimeEngine:
    """A loaded model; `run` may be called from several threads."""

    def __init__(self, runtime: ModuleType, session: Any, name: str) -> None:
        self._runtime = runtime
        self._session = session
        self._name = name
        self._inputs = tuple(_port(argument) for argument in session.get_inputs())
        self._outputs = tuple(_port(argument) for argument in session.get_outputs())
        self._names = [port.name for port in self._outputs]

    @property
    def inputs(self) -> tuple[Port, ...]:
        """What `run` takes, in the model's order."""
        return self._inputs

    @property
    def outputs(self) -> tuple[Port, ...]:
        """What `run` returns, in the model's order."""
        return self._outputs

    @property
    def metadata(self) -> dict[str, str]:
        """What the model's file says of itself."""
        return dict(self._session.get_modelmeta().custom_metadata_map)

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> dict[str, Tensor]:
        """Compute every output from all inputs; raises `InputError` for what the model does not take.

        Raises `Stopped`, within the time of one operator, when `stop` is set by another thread.
        """
        check_inputs(self._name, self.inputs, inputs)
        state = self._runtime.capi.onnxruntime_pybind11_state
        try:
            values = self._session.run(self._names, inputs) if stop is None else self._run_until(stop, inputs)
        except (state.Fail, state.InvalidArgument, state.RuntimeException) as error:
            shapes = ", ".join(f"{name} {value.shape}" for name, value in inputs.items())
            reason = str(error).splitlines()[0].rpartition("Status Message: ")[2][:200]
            raise InputError(f"model {self._name!r} can not compute {shapes}: {reason}") from None
        return dict(zip(self._names, values, strict=True))

    def _run_until(self, stop: Stop, inputs: dict[str, Tensor]) -> list[Tensor]:
        options = self._runtime.RunOptions()

        def end() -> None:
            options.terminate = True

        with stop.watched(end):
            try:
                return list(self._session.run(self._names, inputs, options))
            except self._runtime.capi.onnxruntime_pybind11_state.Fail:
                if stop.is_set:
                    raise Stopped from None
                raise


def load(model: Path, options: Options = Options()) -> OnnxRuntimeEngine:
    """Load a model file. Raises `MissingError` without the file, `CorruptError` when it can not be loaded."""
    runtime = require("onnxruntime", extra="voice")
    if not model.is_file():
        raise MissingError(f"no model {str(model)!r}; give the path of an .onnx file")
    session = _session(runtime, str(model), _settings(runtime, options), repr(str(model)))
    return OnnxRuntimeEngine(runtime, session, model.name)


def parse(data: bytes, options: Options = Options(), *, name: str = "model") -> OnnxRuntimeEngine:
    """Load a model from its bytes; raises `CorruptError` when it can not be loaded."""
    runtime = require("onnxruntime", extra="voice")
    return OnnxRuntimeEngine(runtime, _session(runtime, data, _settings(runtime, options), repr(name)), name)


def optimised(data: bytes, aside: Path, options: Options = Options()) -> None:
    """Write to `aside` the graph that ONNX Runtime really runs for a model, after its own rewriting."""
    runtime = require("onnxruntime", extra="voice")
    settings = _settings(runtime, options)
    settings.optimized_model_filepath = str(aside)
    _session(runtime, data, settings, "'model'")


def version() -> str:
    """Return the version of ONNX Runtime."""
    return str(require("onnxruntime", extra="voice").__version__)


def _settings(runtime: ModuleType, options: Options) -> Any:
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = options.threads or min(_MAX_THREADS, usable_cores())
    settings.inter_op_num_threads = 1
    settings.enable_cpu_mem_arena = options.arena
    settings.log_severity_level = 4  # what goes wrong is raised
    settings.add_session_config_entry("session.intra_op.allow_spinning", str(int(options.spin)))
    settings.add_session_config_entry("session.force_spinning_stop", "1")
    settings.add_session_config_entry("session.disable_quant_qdq", str(int(options.fold_weights)))
    return settings


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _session(runtime: ModuleType, model: str | bytes, settings: Any, name: str) -> Any:
    """Open a session; ONNX Runtime's own error types become `CorruptError` with their first line."""
    state = runtime.capi.onnxruntime_pybind11_state
    try:
        return runtime.InferenceSession(model, settings, providers=["CPUExecutionProvider"])
    except (
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NotImplemented,
        state.RuntimeException,
    ) as error:
        reason = str(error).splitlines()[0][:200]
        raise CorruptError(f"ONNX Runtime can not load {name}: {reason}") from None


def _port(argument: Any) -> Port:
    return Port(argument.name, np.dtype(_DTYPES.get(argument.type, np.object_)), tuple(argument.shape))

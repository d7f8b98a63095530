"""ONNX Runtime on the CPU, or on a CUDA device."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mien.engine.backends import arena, cuda
from mien.engine.engine import Port, Tensor
from mien.engine.inputs import check_inputs
from mien.engine.stop import Stop, Stopped
from mien.engine.wrapper import Described
from mien.errors import CorruptError, InputError, MissingError, ResourceError, require

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
_CPU = "CPUExecutionProvider"
_EXHAUSTED = ("Failed to allocate memory", "out of memory", "bad_alloc")
_MAX_THREADS = 4  # the voices' layers are too small to gain from more


@dataclass(frozen=True, slots=True)
class Options:
    """How a session uses the machine.

    `threads`: threads inside one operator; 0 takes the usable cores, four at most.
    `spin`: threads wait busily for the next operator (never between runs): faster, and takes the cores.
    `arena`: keep freed memory for the next run: faster, and its peak stays taken; all sessions share one.
    `fold_weights`: weights that the file holds in int8 become float when it is loaded.
    `cores`: those that the threads are pinned to, numbered from 0, the first one's left to the caller; else
    the system moves them. `device`: `cpu`, `cuda` or `cuda:1`. On a GPU, `tf32`: products keep ten bits;
    `capture`: the launch of the first shapes is captured and replayed.
    """

    threads: int = 0
    spin: bool = True
    arena: bool = True
    fold_weights: bool = False
    cores: tuple[int, ...] = ()
    device: str = "cpu"
    tf32: bool = True
    capture: bool = False


DEFAULTS: Final = Options()


class OnnxRuntimeEngine(Described):
    """A loaded model; `run` may be called from several threads."""

    def __init__(
        self,
        runtime: ModuleType,
        session: Any,
        name: str,
        turns: cuda.Turns | None = None,
        replay: cuda.Replay | None = None,
    ) -> None:
        self._runtime, self._replay = runtime, replay
        self._turns = turns if replay is None else None  # a replay takes its own
        self._session = session
        self._name = name
        self._inputs = tuple(_port(argument) for argument in session.get_inputs())
        self._outputs = tuple(_port(argument) for argument in session.get_outputs())
        self._metadata = dict(session.get_modelmeta().custom_metadata_map)
        self._names = [port.name for port in self._outputs]

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> dict[str, Tensor]:
        """Compute every output from all inputs; raises `InputError` for what the model does not take.

        Raises `Stopped`, within the time of one operator, when `stop` is set by another thread; a captured
        launch runs to its end.
        """
        check_inputs(self._name, self.inputs, inputs)
        if (replay := self._replay) is not None:
            values = self._computed(inputs, lambda: replay.run(inputs))
            return dict(zip(self._names, values, strict=True))
        compute = self._session.run if stop is None else partial(self._run_until, stop)
        values = self._computed(inputs, lambda: compute(self._names, inputs))
        return dict(zip(self._names, values, strict=True))

    def run_into(self, into: Mapping[str, Tensor], /, **inputs: Tensor) -> None:
        """Compute every output into the arrays of `into`, without an array of ONNX Runtime's own.

        Raises `InputError` for what the model does not take, and when an output has another shape.
        """
        check_inputs(self._name, self.inputs, inputs)
        if self._replay is not None:
            self._copied(into, self.run(**inputs))
            return
        binding = self._session.io_binding()
        for name, value in inputs.items():
            binding.bind_cpu_input(name, np.ascontiguousarray(value))
        for name in self._names:
            out = into[name]
            binding.bind_output(name, "cpu", 0, out.dtype.type, out.shape, out.ctypes.data)
        self._computed(inputs, lambda: self._session.run_with_iobinding(binding))

    def _copied(self, into: Mapping[str, Tensor], outputs: Mapping[str, Tensor]) -> None:
        """Copy what a captured launch left in its own buffers."""
        for name in self._names:
            if into[name].shape != outputs[name].shape:
                raise InputError(
                    f"output {name!r} of {self._name!r} is {outputs[name].shape}, not {into[name].shape}"
                )
            into[name][...] = outputs[name]

    def _computed(self, inputs: Mapping[str, Tensor], compute: Callable[[], Any]) -> Any:
        state = self._runtime.capi.onnxruntime_pybind11_state
        try:
            with self._turns.beside_others() if self._turns is not None else nullcontext():
                return compute()
        except (state.Fail, state.InvalidArgument, state.RuntimeException, RuntimeError) as error:
            shapes = ", ".join(f"{name} {value.shape}" for name, value in inputs.items())
            reason = str(error).splitlines()[0].rpartition("Status Message: ")[2][:200]
            if any(sign in str(error) for sign in _EXHAUSTED):
                raise ResourceError(
                    f"no memory left for {shapes} in model {self._name!r}: {reason}; send smaller batches"
                ) from None
            raise InputError(f"model {self._name!r} can not compute {shapes}: {reason}") from None

    def _run_until(self, stop: Stop, names: list[str], inputs: dict[str, Tensor]) -> list[Tensor]:
        options = self._runtime.RunOptions()

        def end() -> None:
            options.terminate = True

        with stop.watched(end):
            try:
                return list(self._session.run(names, inputs, options))
            except self._runtime.capi.onnxruntime_pybind11_state.Fail:
                if stop.is_set:
                    raise Stopped from None
                raise


def load(model: Path, options: Options = DEFAULTS) -> OnnxRuntimeEngine:
    """Load a model file. Raises `MissingError` without the file, `CorruptError` when it can not be loaded."""
    runtime = require("onnxruntime", extra="voice")
    if not model.is_file():
        raise MissingError(f"no model {str(model)!r}; give the path of an .onnx file")
    session = _session(runtime, str(model), options, repr(str(model)))
    replay = cuda.Replay(runtime, session, options.device) if options.capture else None
    return OnnxRuntimeEngine(runtime, session, model.name, _turns(options.device), replay)


def plain(model: Path, device: str = "cpu", threads: int = 0) -> OnnxRuntimeEngine:
    """Load a model file as ONNX Runtime does by default: what mien's own settings are held against.

    `threads`: inside one operator; 0 takes what ONNX Runtime takes.
    """
    runtime = require("onnxruntime", extra="voice")
    if not model.is_file():
        raise MissingError(f"no model {str(model)!r}; give the path of an .onnx file")
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = threads
    settings.log_severity_level = 4
    session = opened(runtime, str(model), settings, _plain_providers(runtime, device), repr(str(model)))
    return OnnxRuntimeEngine(runtime, session, model.name, _turns(device))


def parse(data: bytes, options: Options = DEFAULTS, *, name: str = "model") -> OnnxRuntimeEngine:
    """Load a model from its bytes; raises `CorruptError` when it can not be loaded."""
    runtime = require("onnxruntime", extra="voice")
    session = _session(runtime, data, options, repr(name))
    return OnnxRuntimeEngine(runtime, session, name, _turns(options.device))


def optimised(data: bytes, aside: Path, options: Options = DEFAULTS) -> None:
    """Write to `aside` the graph that ONNX Runtime really runs for a model, after its own rewriting.

    Raises `ResourceError` when there is no space for it.
    """
    runtime = require("onnxruntime", extra="voice")
    try:
        _session(runtime, data, options, "'model'", aside)
    except CorruptError as error:
        if "serialization failed" not in str(error):
            raise
        place = str(aside.parent)
        raise ResourceError(f"disk full while writing {place}: free some space, or set TMPDIR") from None


def version() -> str:
    """Return the version of ONNX Runtime."""
    return str(require("onnxruntime", extra="voice").__version__)


def _settings(runtime: ModuleType, options: Options) -> Any:
    settings = runtime.SessionOptions()
    threads = options.threads or usual_threads()
    settings.intra_op_num_threads = threads
    settings.inter_op_num_threads = 1
    settings.enable_cpu_mem_arena = options.arena
    settings.enable_mem_pattern = False  # kept for each new shape, for ever
    if options.arena:
        arena.share(runtime, settings)
    if (
        options.cores and threads > 1
    ):  # ONNX Runtime counts cores from 1; the caller's own thread is not pinned
        pinned = (options.cores[i % len(options.cores)] + 1 for i in range(1, threads))
        settings.add_session_config_entry("session.intra_op_thread_affinities", ";".join(map(str, pinned)))
    settings.log_severity_level = 4  # what goes wrong is raised
    settings.add_session_config_entry("session.intra_op.allow_spinning", str(int(options.spin)))
    settings.add_session_config_entry("session.force_spinning_stop", "1")
    settings.add_session_config_entry("session.disable_quant_qdq", str(int(options.fold_weights)))
    return settings


def usual_threads() -> int:
    """Return how many threads an operator gets where none are asked for."""
    return min(_MAX_THREADS, usable_cores())


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _session(
    runtime: ModuleType, model: str | bytes, options: Options, name: str, aside: Path | None = None
) -> Any:
    """Open a session; ONNX Runtime's own error types become `CorruptError` with their first line."""
    settings = _settings(runtime, options)
    if aside is not None:
        settings.optimized_model_filepath = str(aside)
    providers = _providers(runtime, options)
    turns = _turns(options.device)
    with turns.beside_others() if turns is not None else nullcontext():
        session = opened(runtime, model, settings, providers, name)
    if session.get_providers()[0] != _name(providers[0]):
        raise ResourceError(f"ONNX Runtime would run {name} on the CPU; its CUDA libraries do not load here")
    return session


def opened(runtime: ModuleType, model: str | bytes, settings: Any, providers: list[Any], name: str) -> Any:
    """Open a session with settings as they are; raises `CorruptError` with the library's first line."""
    state = runtime.capi.onnxruntime_pybind11_state
    try:
        return runtime.InferenceSession(model, settings, providers=providers)
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


def _plain_providers(runtime: ModuleType, device: str) -> list[Any]:
    """Return the providers with their defaults, but for TF32: another precision than the model's."""
    first, *others = _providers(runtime, Options(device=device))
    if not others:
        return [first]
    return [(cuda.PROVIDER, {"device_id": first[1]["device_id"], "use_tf32": 0}), *others]


def _turns(device: str) -> cuda.Turns | None:
    return None if device == "cpu" else cuda.turns(device)


def check_device(device: str) -> None:
    """Raise `InputError` for what is no device."""
    if device != "cpu" and not re.fullmatch(r"cuda(:\d+)?", device):
        raise InputError(f"no device {device!r}; valid: cpu, cuda, cuda:1")


def _providers(runtime: ModuleType, options: Options) -> list[Any]:
    check_device(options.device)
    kind, _, number = options.device.partition(":")
    if kind == "cpu":
        return [_CPU]
    if cuda.PROVIDER not in runtime.get_available_providers():
        raise ResourceError("this ONNX Runtime has no CUDA; use the device cpu, or install onnxruntime-gpu")
    made = cuda.settings(int(number or 0), tf32=options.tf32, capture=options.capture)
    return [(cuda.PROVIDER, made)] if options.capture else [(cuda.PROVIDER, made), _CPU]


def _name(provider: Any) -> str:
    return str(provider if isinstance(provider, str) else provider[0])


def _port(argument: Any) -> Port:
    return Port(argument.name, np.dtype(_DTYPES.get(argument.type, np.object_)), tuple(argument.shape))

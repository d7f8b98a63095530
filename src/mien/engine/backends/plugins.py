"""Execution providers that come as a library of their own (plugins): registered by path, in ONNX Runtime."""

from __future__ import annotations

import threading
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from mien.engine.backends.onnxruntime import OnnxRuntimeEngine, opened, usual_threads
from mien.errors import MissingError, ResourceError, require

_NO_FALLBACK: Final = "session.disable_cpu_ep_fallback"
_lock = threading.Lock()
_registered: dict[Path, str] = {}  # library → the name of its provider


def load(model: Path, library: Path, *, threads: int = 0, fallback: bool = False) -> OnnxRuntimeEngine:
    """Load a model file for the provider of a plugin.

    `fallback`: nodes that the provider does not take run on the CPU; else such a model is an error. Raises
    `MissingError` without the model or the library, `ResourceError` when the library is no provider for this
    ONNX Runtime or finds no device here, `CorruptError` when the model can not be loaded.
    """
    runtime = require("onnxruntime", extra="voice")
    if not model.is_file():
        raise MissingError(f"no model {str(model)!r}; give the path of an .onnx file")
    return on_provider(runtime, model, provider(runtime, library), threads=threads, fallback=fallback)


def on_provider(
    runtime: ModuleType, model: Path, name: str, *, threads: int = 0, fallback: bool = False
) -> OnnxRuntimeEngine:
    """Load a model for a provider that is registered; raises as `load`."""
    devices = [device for device in runtime.get_ep_devices() if device.ep_name == name]
    if not devices:
        raise ResourceError(f"{name} finds no device on this machine that it can run on")
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = threads or usual_threads()
    settings.log_severity_level = 4
    settings.add_session_config_entry(_NO_FALLBACK, str(int(not fallback)))
    settings.add_provider_for_devices(devices[:1], {})
    return OnnxRuntimeEngine(runtime, opened(runtime, str(model), settings, [], repr(str(model))), model.name)


def provider(runtime: ModuleType, library: Path) -> str:
    """Register a plugin, once in a process, and return its provider's name; raises as `load`."""
    place = library.absolute()
    if not place.is_file():
        raise MissingError(f"no plugin {str(library)!r}; give the path of an execution provider's library")
    with _lock:
        if place not in _registered:
            _registered[place] = _new(runtime, place)
        return _registered[place]


def _new(runtime: ModuleType, place: Path) -> str:
    before = _names(runtime)
    failures: Any = runtime.capi.onnxruntime_pybind11_state
    try:
        runtime.register_execution_provider_library(place.stem, str(place))
    except (failures.Fail, failures.InvalidArgument, failures.RuntimeException, RuntimeError) as error:
        reason = str(error).splitlines()[0].rpartition(" : ")[2][:200]
        raise ResourceError(
            f"{str(place)!r} is no execution provider for ONNX Runtime {runtime.__version__}: {reason}"
        ) from None
    new = sorted(_names(runtime) - before)
    if not new:
        runtime.unregister_execution_provider_library(place.stem)
        raise ResourceError(f"the plugin {str(place)!r} finds no device on this machine that it can run on")
    return new[0]


def _names(runtime: ModuleType) -> set[str]:
    return {str(device.ep_name) for device in runtime.get_ep_devices()}

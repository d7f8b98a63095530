"""OpenVINO on the CPU: TFLite and ONNX files as they are, and models that were compiled ahead of time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mien.engine.engine import Port, Tensor
from mien.engine.inputs import check_inputs
from mien.engine.stop import Stop, Stopped
from mien.engine.wrapper import Described
from mien.errors import CorruptError, InputError, MissingError, ResourceError, require

Axes = Mapping[str, Sequence[int | str | None]]
NO_AXES: Axes = {}
NO_METADATA: Mapping[str, str] = {}
THREADS = 2  # the face networks are too small to gain from more


class OpenVinoEngine(Described):
    """A loaded model; `run` may be called from several threads, which take turns."""

    def __init__(
        self, compiled: Any, name: str, axes: Axes = NO_AXES, metadata: Mapping[str, str] = NO_METADATA
    ) -> None:
        self._name = name
        self._inputs = tuple(_port(node, axes) for node in compiled.inputs)
        self._outputs = tuple(_port(node, axes) for node in compiled.outputs)
        self._metadata = dict(metadata)  # OpenVINO does not pass on what a file says of itself
        self._request = compiled.create_infer_request()
        self._lock = threading.Lock()

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> dict[str, Tensor]:
        """Compute every output from all inputs; raises `InputError` for a wrong name, type or shape.

        Raises `Stopped`, within the time of one operator, when `stop` is set by another thread.
        """
        check_inputs(self._name, self._inputs, inputs)
        with self._lock:
            try:
                self._computed(stop, inputs)
            except RuntimeError as error:
                shapes = ", ".join(f"{name} {value.shape}" for name, value in inputs.items())
                raise InputError(f"model {self._name!r} can not compute {shapes}: {_reason(error)}") from None
            tensors = [self._request.get_output_tensor(i) for i in range(len(self._outputs))]
            return {port.name: t.data.copy() for port, t in zip(self._outputs, tensors, strict=True)}

    def _computed(self, stop: Stop | None, inputs: dict[str, Tensor]) -> None:
        if stop is None:
            self._request.infer(inputs, share_inputs=True)
        else:
            self._run_until(stop, inputs)

    def _run_until(self, stop: Stop, inputs: dict[str, Tensor]) -> None:
        with stop.watched(self._request.cancel):
            try:
                self._request.start_async(inputs, share_inputs=True)
                self._request.wait()
            except RuntimeError:
                if stop.is_set:
                    raise Stopped from None
                raise


def load(model: Path, *, threads: int = 0) -> OpenVinoEngine:
    """Load a model file, ONNX or TFLite; `threads` 0: two.

    Raises `MissingError` without OpenVINO or the file, `CorruptError` when it can not be loaded.
    """
    library()
    if not model.is_file():
        raise MissingError(f"no model {str(model)!r}; give the path of an .onnx or .tflite file")
    try:
        graph = _core().read_model(model)
        compiled = _core().compile_model(graph, "CPU", _options(threads or THREADS))
        return OpenVinoEngine(compiled, model.name)
    except RuntimeError as error:
        raise CorruptError(f"OpenVINO can not load {str(model)!r}: {_reason(error)}") from None


def parse(data: bytes, *, threads: int = THREADS, name: str = "model") -> OpenVinoEngine:
    """Load an ONNX model from its bytes; raises `CorruptError` when it can not be loaded."""
    library()
    try:
        return OpenVinoEngine(_core().compile_model(_core().read_model(data), "CPU", _options(threads)), name)
    except RuntimeError as error:
        raise CorruptError(f"OpenVINO can not load {name!r}: {_reason(error)}") from None


def restore(
    data: bytes, name: str, *, threads: int, axes: Axes, metadata: Mapping[str, str]
) -> OpenVinoEngine:
    """Load what `openvino_build` compiled; `axes`: the sizes and names of the model's ports.

    Raises `ResourceError` when OpenVINO does not take it on this processor.
    """
    library()
    try:
        compiled = _core().import_model(data, "CPU", _options(threads))
    except RuntimeError as error:
        raise ResourceError(f"OpenVINO does not take {name!r} on this processor: {_reason(error)}") from None
    return OpenVinoEngine(compiled, name, axes, metadata)


def version() -> str:
    """Return the version of OpenVINO: `2026.4.1`."""
    return str(library().__version__).partition("-")[0]


def library() -> Any:
    """Return OpenVINO; raises `MissingError` without it."""
    return require("openvino", extra="measure")


def _options(threads: int) -> dict[str, Any]:
    return {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}


def _reason(error: RuntimeError) -> str:
    """Return the first line that says what is wrong, not where in OpenVINO's own files."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("Exception from", "Check '"))]
    return next(iter(told or lines), "it gave no reason")[:200]


@cache
def _core() -> Any:
    return library().Core()


def _port(node: Any, axes: Axes) -> Port:
    known = axes.get(node.any_name, ())
    names = known if len(known) == len(node.partial_shape) else [None] * len(node.partial_shape)
    shape = tuple(
        name
        if size.is_dynamic and isinstance(name, str)
        else None
        if size.is_dynamic
        else int(size.get_length())
        for size, name in zip(node.partial_shape, names, strict=True)
    )
    return Port(node.any_name, np.dtype(node.element_type.to_dtype()), shape)

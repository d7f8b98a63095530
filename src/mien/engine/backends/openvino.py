"""OpenVINO on the CPU: TFLite files as they are."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mien.engine.engine import Port, Tensor
from mien.engine.inputs import check_inputs
from mien.engine.stop import Stop, Stopped
from mien.engine.wrapper import Described
from mien.errors import CorruptError, MissingError, require

Range = tuple[float, float]
THREADS = 2  # the face networks are too small to gain from more


class OpenVinoEngine(Described):
    """A loaded model; `run` may be called from several threads, which take turns."""

    def __init__(self, compiled: Any, name: str) -> None:
        self._name = name
        self._inputs = tuple(_port(node) for node in compiled.inputs)
        self._outputs = tuple(_port(node) for node in compiled.outputs)
        self._metadata = {}  # OpenVINO does not pass on what a TFLite file says of itself
        self._request = compiled.create_infer_request()
        self._lock = threading.Lock()

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> dict[str, Tensor]:
        """Compute every output from all inputs; raises `InputError` for a wrong name, type or shape.

        Raises `Stopped`, within the time of one operator, when `stop` is set by another thread.
        """
        check_inputs(self._name, self._inputs, inputs)
        with self._lock:
            if stop is None:
                self._request.infer(inputs, share_inputs=True)
            else:
                self._run_until(stop, inputs)
            tensors = [self._request.get_output_tensor(i) for i in range(len(self._outputs))]
            return {port.name: t.data.copy() for port, t in zip(self._outputs, tensors, strict=True)}

    def _run_until(self, stop: Stop, inputs: dict[str, Tensor]) -> None:
        with stop.watched(self._request.cancel):
            try:
                self._request.start_async(inputs, share_inputs=True)
                self._request.wait()
            except RuntimeError:
                if stop.is_set:
                    raise Stopped from None
                raise


def load(model: Path, *, pixels: Range | None = None) -> OpenVinoEngine:
    """Load a model file.

    `pixels`: the model's one input then takes uint8, and 0 and 255 become these two numbers inside the
    graph. Raises `MissingError` without OpenVINO or the file, `CorruptError` when it can not be loaded.
    """
    openvino = library()
    if not model.is_file():
        raise MissingError(f"no model {str(model)!r}; give the path of a .tflite file")
    options = {"INFERENCE_NUM_THREADS": THREADS, "PERFORMANCE_HINT": "LATENCY"}
    try:
        graph = _core().read_model(model)
        prepared = graph if pixels is None else _with_pixels(openvino, graph, pixels)
        return OpenVinoEngine(_core().compile_model(prepared, "CPU", options), model.name)
    except RuntimeError as error:
        reason = next(iter(str(error).splitlines()), "")[:200]
        raise CorruptError(f"OpenVINO can not load {str(model)!r}: {reason}") from None


def library() -> Any:
    """Return OpenVINO; raises `MissingError` without it."""
    return require("openvino", extra="measure")


@cache
def _core() -> Any:
    return library().Core()


def _with_pixels(openvino: Any, graph: Any, pixels: Range) -> Any:
    low, high = pixels
    scale = 255.0 / (high - low)
    steps = openvino.preprocess.PrePostProcessor(graph)
    steps.input().tensor().set_element_type(openvino.Type.u8)
    steps.input().preprocess().convert_element_type(openvino.Type.f32).mean(-low * scale).scale(scale)
    return steps.build()


def _port(node: Any) -> Port:
    shape = tuple(None if size.is_dynamic else int(size.get_length()) for size in node.partial_shape)
    return Port(node.any_name, np.dtype(node.element_type.to_dtype()), shape)

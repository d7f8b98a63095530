"""The TFLite networks of pack `faces`, run by OpenVINO as they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mien import packs
from mien.errors import CorruptError, MissingError, require

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

THREADS = 2


@cache
def _core() -> Any:
    return require("openvino", extra="measure").Core()


class Network:
    """A network from a picture `(size, size, 3)` uint8 RGB to a list of float32 arrays.

    `low`, `high`: what black and white become at the network's input.
    Raises `MissingError` without OpenVINO or the file, `CorruptError` when the file can not be read.
    """

    def __init__(self, file: Path, *, low: float, high: float) -> None:
        if not file.is_file():
            raise MissingError(f"no network {file.name} in pack faces; run: mien packs verify faces")
        openvino = require("openvino", extra="measure")
        try:
            model = _core().read_model(file)
        except RuntimeError as error:
            raise CorruptError(
                f"{file.name} is not a TFLite network; run: mien packs verify faces"
            ) from error
        self.size = int(model.inputs[0].partial_shape[1].get_length())
        scale = 255.0 / (high - low)
        options = {"INFERENCE_NUM_THREADS": THREADS, "PERFORMANCE_HINT": "LATENCY"}
        prepared = _prepare(model, openvino, mean=-low * scale, scale=scale)
        self._request = _core().compile_model(prepared, "CPU", options).create_infer_request()
        self._outputs = len(model.outputs)

    def __call__(self, picture: Image) -> list[Floats]:
        """Return the network's outputs in the file's order; the picture's shape is `(size, size, 3)`."""
        self._request.infer([np.ascontiguousarray(picture)[None]], share_inputs=True)
        return [self._request.get_output_tensor(i).data.copy() for i in range(self._outputs)]


def _prepare(model: Any, openvino: Any, *, mean: float, scale: float) -> Any:
    """Let the network take uint8 and normalise `(x - mean) / scale` inside the graph."""
    steps = openvino.preprocess.PrePostProcessor(model)
    steps.input().tensor().set_element_type(openvino.Type.u8)
    steps.input().preprocess().convert_element_type(openvino.Type.f32).mean(mean).scale(scale)
    return steps.build()


def load(name: str, *, low: float = 0.0, high: float = 1.0) -> Network:
    """Load `name`.tflite from pack `faces`."""
    return Network(packs.path("faces") / f"{name}.tflite", low=low, high=high)

"""The networks of pack `faces`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien import packs
from mien.engine.backends import openvino
from mien.errors import CorruptError, MissingError

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


class Network:
    """A network from a picture `(size, size, 3)` uint8 RGB to a list of float32 arrays.

    `low`, `high`: what black and white become at the network's input.
    Raises `MissingError` without OpenVINO or the file, `CorruptError` when the file can not be read.
    """

    def __init__(self, file: Path, *, low: float, high: float) -> None:
        try:
            self._engine = openvino.load(file, pixels=(low, high))
        except CorruptError as error:
            raise CorruptError(f"{error}; run: mien packs verify faces") from None
        (port,) = self._engine.inputs
        self._name, self.size = port.name, int(port.shape[1] or 0)

    def __call__(self, picture: Picture) -> list[Floats]:
        """Return the network's outputs in the file's order; the picture's shape is `(size, size, 3)`."""
        return list(self._engine.run(**{self._name: np.ascontiguousarray(picture)[None]}).values())


def load(name: str, *, low: float = 0.0, high: float = 1.0) -> Network:
    """Load `name`.tflite from pack `faces`."""
    file = packs.path("faces") / f"{name}.tflite"
    if not file.is_file():
        raise MissingError(f"no network {name}.tflite in pack faces; run: mien packs pull faces")
    return Network(file, low=low, high=high)

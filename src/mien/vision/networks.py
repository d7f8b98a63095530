"""The networks of pack `faces`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import mien.engine
from mien import packs
from mien.engine.runtime import Machine
from mien.errors import CorruptError, MissingError

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
_MACHINE: Final = Machine(backend="openvino")  # it reads TFLite as it is


class Network:
    """A network from a picture `(size, size, 3)` uint8 RGB to a list of float32 arrays.

    `low`, `high`: what black and white become at the network's input.
    Raises `MissingError` without OpenVINO or the file, `CorruptError` when the file can not be read.
    """

    def __init__(self, file: Path, *, low: float, high: float, machine: Machine = _MACHINE) -> None:
        try:
            self._engine = mien.engine.load(file, machine=machine)
        except CorruptError as error:
            raise CorruptError(f"{error}; run: mien packs verify faces") from None
        (port,) = self._engine.inputs
        self._low, self._step = np.float32(low), np.float32((high - low) / 255)
        self._name, self.size = port.name, int(port.shape[1] or 0)

    def __call__(self, picture: Picture) -> list[Floats]:
        """Return the network's outputs in the file's order; the picture's shape is `(size, size, 3)`."""
        return self.run(self.tensor(picture))

    def tensor(self, picture: Picture) -> Floats:
        """Return a picture as the network takes it, `(1, size, size, 3)`."""
        return np.asarray((picture.astype(np.float32) * self._step + self._low)[None], np.float32)

    def run(self, tensor: Floats) -> list[Floats]:
        """Return the network's outputs in the file's order."""
        return list(self._engine.run(**{self._name: tensor}).values())


def load(name: str, *, low: float = 0.0, high: float = 1.0) -> Network:
    """Load `name`.tflite from pack `faces`."""
    file = packs.path("faces") / f"{name}.tflite"
    if not file.is_file():
        raise MissingError(f"no network {name}.tflite in pack faces; run: mien packs pull faces")
    return Network(file, low=low, high=high)

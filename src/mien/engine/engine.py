"""The one form that every loaded model has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mien.engine.stop import Stop

Tensor = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of an engine: its name, element type and shape; a name or None is a free size."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int | str | None, ...]


class Engine(Protocol):
    """A model ready to run. Safe to call from several threads at once."""

    @property
    def inputs(self) -> tuple[Port, ...]:
        """What `run` takes, in the model's order."""

    @property
    def outputs(self) -> tuple[Port, ...]:
        """What `run` returns, in the model's order."""

    @property
    def metadata(self) -> dict[str, str]:
        """What the model's file says of itself."""

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> dict[str, Tensor]:
        """Compute every output from all inputs; raises `InputError` for a wrong name, type or shape.

        Raises `Stopped` soon after another thread has set `stop`.
        """

"""An engine whose outputs are written into arrays made beforehand, wherever their shapes are known."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from mien.engine.engine import Engine, Tensor
from mien.engine.runtime.rings import Rings
from mien.engine.runtime.ticket import Outputs
from mien.engine.stop import Stop
from mien.engine.wrapper import Around
from mien.errors import InputError

_MOST_SHAPES: Final = 256
_Shapes = dict[str, tuple[tuple[int, ...], np.dtype[Any]]]


@runtime_checkable
class Binds(Protocol):
    """What an engine has that can write its outputs into given arrays."""

    def run_into(self, into: Mapping[str, Tensor], /, **inputs: Tensor) -> None:
        """Compute every output into `into`; raises `InputError`, also when an output has another shape."""


class BoundEngine(Around):
    """Wraps an engine: the second run with inputs of the same shapes writes into a ring of arrays.

    Where an output's shape depends on the inputs' contents the engine runs as it would without. Outputs stay
    as they are for as long as anybody holds them.
    """

    def __init__(self, engine: Engine, rings: Rings) -> None:
        self._engine, self._rings = engine, rings
        self._lock = threading.Lock()
        self._known: OrderedDict[Hashable, _Shapes | None] = OrderedDict()  # None: they vary

    @property
    def engine(self) -> Engine:
        """The engine inside."""
        return self._engine

    def run(self, stop: Stop | None = None, /, **inputs: Tensor) -> Outputs:
        """Compute every output from all inputs; raises as `Engine.run`."""
        if stop is not None or not isinstance(self._engine, Binds):
            return self._engine.run(stop, **inputs)
        key = tuple((name, value.shape) for name, value in sorted(inputs.items()))
        shapes = self._known.get(key)
        if shapes is None:
            return self._learned(key, self._engine.run(**inputs))
        into = {name: self._rings.lease(*each) for name, each in shapes.items()}
        try:
            self._engine.run_into(into, **inputs)
        except InputError:
            outputs = self._engine.run(**inputs)  # raises when the inputs were to blame
            self._note(key, None)
            return outputs
        return into

    def _learned(self, key: Hashable, outputs: Outputs) -> Outputs:
        if key not in self._known and all(value.dtype != np.object_ for value in outputs.values()):
            self._note(key, {name: (value.shape, value.dtype) for name, value in outputs.items()})
        return outputs

    def _note(self, key: Hashable, shapes: _Shapes | None) -> None:
        with self._lock:
            self._known[key] = shapes
            if len(self._known) > _MOST_SHAPES:
                self._known.popitem(last=False)

"""How requests become one batch and its outputs are shared out again: stacking, padding, cutting."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mien.engine.engine import Engine, Port, Tensor
from mien.engine.runtime.ticket import Outputs
from mien.errors import CorruptError

PAD: Final = "pad"  # the metadata entry in which a model says what may be padded
_STEPS: Final = 4  # sizes for each doubling: at most a quarter of a batch is padding


@dataclass(frozen=True, slots=True)
class Padding:
    """What a model says of itself: `axis` of an input may be lengthened at its end with `value`.

    The first `per` x size places along `axes[output]` of an output are then the result; an output that is
    not named keeps its length.
    """

    input: str
    axis: int
    value: float
    outputs: Mapping[str, tuple[int, int]]

    @classmethod
    def parse(cls, text: str) -> Padding:
        """Read `{"input": "x", "axis": 2, "value": 0, "outputs": {"out": [2, 1]}}`; raises `CorruptError`."""
        try:
            table = json.loads(text)
            outputs = {name: (int(axis), int(per)) for name, (axis, per) in table["outputs"].items()}
            return cls(str(table["input"]), int(table["axis"]), float(table.get("value", 0)), outputs)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CorruptError(
                f"the model's metadata entry {PAD!r} can not be read ({error}); it is as "
                '{"input": "x", "axis": 2, "value": 0, "outputs": {"out": [2, 1]}}'
            ) from None

    def applied(self, values: Sequence[Tensor]) -> list[Tensor]:
        """Return the values of one tier, all of its size."""
        size = tier(max(value.shape[self.axis] for value in values))
        return [self._padded(value, size) for value in values]

    def _padded(self, value: Tensor, size: int) -> Tensor:
        around = [(0, size - n if axis == self.axis else 0) for axis, n in enumerate(value.shape)]
        return np.pad(value, around, constant_values=self.value)


class Layout:
    """Which inputs are stacked along their first axis, and which all requests of a batch must share.

    Stacked are the inputs whose first axis has the name of the outputs' first axis, or no known size where
    the model names none. A model without such an axis in each of its outputs runs one request at a time.
    """

    def __init__(self, engine: Engine) -> None:
        self._outputs = [port.name for port in engine.outputs]
        names = {_first(port) for port in engine.outputs}
        self._stacked = [port.name for port in engine.inputs if _fits(port, names)]
        fixed = any(isinstance(_first(port), int) for port in engine.outputs)
        self.stacks = bool(self._stacked) and not fixed
        text = engine.metadata.get(PAD)
        self.padding = Padding.parse(text) if text else None

    def kind(self, inputs: Mapping[str, Tensor]) -> Hashable:
        """Return what two requests must have in common to be in one batch."""
        if not self.stacks:
            return tuple((name, value.shape) for name, value in sorted(inputs.items()))
        return tuple(
            (name, self._shape(name, value))
            if name in self._stacked
            else (name, value.shape, value.tobytes())
            for name, value in sorted(inputs.items())
        )

    def join(self, requests: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
        """Return the inputs of one run; one request alone is not padded."""
        if len(requests) == 1:
            return dict(requests[0])
        joined = dict(requests[0])
        for name in self._stacked:
            values = [request[name] for request in requests]
            if self.padding is not None and name == self.padding.input:
                values = self.padding.applied(values)
            joined[name] = np.concatenate(values)
        return joined

    def rows(self, inputs: Mapping[str, Tensor]) -> int:
        """Return how many rows the stacked inputs have; 1 where nothing is stacked or one is missing."""
        name = self._stacked[0] if self.stacks else ""
        return inputs[name].shape[0] if name in inputs and inputs[name].ndim else 1

    def filled(self, inputs: Mapping[str, Tensor], size: int) -> dict[str, Tensor]:
        """Return the inputs with the last row repeated until there are `size` rows."""
        made = dict(inputs)
        for name in self._stacked:
            value = inputs[name]
            made[name] = np.concatenate([value, np.repeat(value[-1:], size - len(value), axis=0)])
        return made

    def split(self, requests: Sequence[Mapping[str, Tensor]], outputs: Outputs) -> list[Outputs]:
        """Return each request's part of a run's outputs, as views."""
        if len(requests) == 1:
            return [outputs]
        shares: list[Outputs] = []
        begin = 0
        for request in requests:
            end = begin + request[self._stacked[0]].shape[0]
            shares.append({name: self._cut(name, outputs[name][begin:end], request) for name in outputs})
            begin = end
        return shares

    def _cut(self, name: str, value: Tensor, request: Mapping[str, Tensor]) -> Tensor:
        if self.padding is None or name not in self.padding.outputs:
            return value
        axis, per = self.padding.outputs[name]
        size = per * request[self.padding.input].shape[self.padding.axis]
        return value[(slice(None),) * axis + (slice(size),)]

    def _shape(self, name: str, value: Tensor) -> tuple[int, ...]:
        shape = value.shape
        if self.padding is None or name != self.padding.input:
            return shape
        axis = self.padding.axis
        return (*shape[:axis], tier(shape[axis]), *shape[axis + 1 :])


def tier(size: int) -> int:
    """Return the bucket of a size: itself up to 8, then four for each doubling (10, 12, 14, 16, 20...)."""
    step = max(1, (1 << max(0, (size - 1).bit_length() - 1)) // _STEPS)
    return -(-size // step) * step


def _first(port: Port) -> Any:
    return port.shape[0] if port.shape else None


def _fits(port: Port, names: set[Any]) -> bool:
    first = _first(port)
    if first is None:
        return True
    return isinstance(first, str) and (first in names or None in names)

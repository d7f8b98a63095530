"""What an engine is given, compared with what it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mien.engine.engine import Port, Tensor
from mien.errors import InputError, nearest


def check_inputs(model: str, ports: Sequence[Port], inputs: Mapping[str, Tensor]) -> None:
    """Raise `InputError` naming the first input that is unknown, missing, or of another type or shape."""
    known = {port.name: port for port in ports}
    for name in inputs:
        if name not in known:
            raise InputError(f"model {model!r} has no input {name!r}{nearest(name, known)}")
    for name, port in known.items():
        if name not in inputs:
            raise InputError(f"model {model!r} needs its input {name!r}")
        _check_port(model, port, inputs[name])


def _check_port(model: str, port: Port, value: Tensor) -> None:
    """Compare with what the model states; it states `()` also where it knows no shape."""
    fits = not port.shape or (
        len(port.shape) == value.ndim
        and all(
            not isinstance(size, int) or size == n for size, n in zip(port.shape, value.shape, strict=True)
        )
    )
    if value.dtype != port.dtype or not fits:
        raise InputError(
            f"input {port.name!r} of model {model!r} is {value.dtype} {value.shape}; "
            f"it takes {port.dtype} {port.shape}"
        )

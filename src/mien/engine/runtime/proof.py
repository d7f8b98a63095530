"""Whether a batch gives what its requests give alone, tried on real inputs before anything is batched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from mien.engine.engine import Engine, Tensor
from mien.engine.runtime.layout import Layout
from mien.engine.runtime.ticket import Outputs
from mien.errors import MienError

TOLERANCE: Final = 1e-4  # of an output's largest value: what float32 sums lose when their order changes
TF32_TOLERANCE: Final = 1e-2


def refuted(
    engine: Engine, layout: Layout, requests: Sequence[Mapping[str, Tensor]], tolerance: float = TOLERANCE
) -> str:
    """Return why a batch of `requests` is not what they are alone, or `""` when it is.

    Floating-point outputs may differ by `tolerance` of their largest value, all others not at all.
    """
    try:
        alone = [engine.run(**request) for request in requests]
        shares = layout.split(requests, engine.run(**layout.join(requests)))
    except MienError as error:
        return str(error)
    except (IndexError, ValueError) as error:
        return f"its outputs can not be shared out: {error}"
    for wanted, found in zip(alone, shares, strict=True):
        if reason := differing(wanted, found, tolerance):
            return reason
    return ""


def differing(wanted: Outputs, found: Outputs, tolerance: float = TOLERANCE) -> str:
    """Return which output differs and by how much, or `""`."""
    for name, value in wanted.items():
        other = found[name]
        if value.shape != other.shape:
            return f"output {name!r} is {other.shape} in a batch and {value.shape} alone"
        if value.dtype.kind != "f":
            if not np.array_equal(value, other):
                return f"output {name!r} is not the same"
            continue
        scale = float(np.abs(value).max(initial=0.0)) or 1.0
        error = float(np.abs(value.astype(np.float64) - other).max(initial=0.0)) / scale
        if not error <= tolerance:
            return f"output {name!r} differs by {error:.2g} of its largest value; {tolerance:g} is allowed"
    return ""

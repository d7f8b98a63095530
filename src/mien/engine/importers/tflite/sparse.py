"""Sparse weights of TFLite (a tree of dense and compressed levels, in blocks) as dense arrays.

The form is that of TACO: F. Kjolstad et al., "The Tensor Algebra Compiler", 2017.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Level:
    """A dense level of `size`, or a compressed one: `indices` between `segments`."""

    size: int
    segments: NDArray[np.int64] | None
    indices: NDArray[np.int64] | None


def dense(
    values: NDArray[Any],
    shape: Sequence[int],
    order: Sequence[int],
    blocks: Sequence[int],
    levels: Sequence[Level],
) -> NDArray[Any]:
    """Return the array of `shape`; `order` is the axis of each level, the block axes behind the others.

    `blocks` are the axes that are cut in blocks. Raises `ValueError` for levels that do not fit.
    """
    if len(levels) != len(order) or sorted(order) != list(range(len(shape) + len(blocks))):
        raise ValueError("sparse levels do not fit the shape")
    places = np.zeros(1, np.int64)
    columns: dict[int, NDArray[np.int64]] = {}
    for axis, level in zip(order, levels, strict=True):
        places, repeats, index = _entered(places, level)
        columns = {known: np.repeat(column, repeats) for known, column in columns.items()}
        columns[axis] = index
    block = {shape_axis: len(shape) + place for place, shape_axis in enumerate(blocks)}
    sizes = {axis: level.size for axis, level in zip(order, levels, strict=True)}
    full = np.zeros(shape, values.dtype)
    where = tuple(
        columns[axis] * sizes[block[axis]] + columns[block[axis]] if axis in block else columns[axis]
        for axis in range(len(shape))
    )
    full[where] = values[places]
    return full


def _entered(
    places: NDArray[np.int64], level: Level
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the places one level deeper, how many came of each, and their index on the level's axis."""
    if level.segments is None or level.indices is None:
        if not 0 < level.size < math.inf:
            raise ValueError("a sparse level without a size")
        repeats = np.full(places.size, level.size, np.int64)
        index = np.tile(np.arange(level.size), places.size)
        return np.repeat(places * level.size, level.size) + index, repeats, index
    starts = level.segments[places]
    repeats = level.segments[places + 1] - starts
    offsets = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    deeper = np.repeat(starts, repeats) + offsets
    return deeper, repeats, level.indices[deeper]

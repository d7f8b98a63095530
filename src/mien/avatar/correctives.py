"""Correctives: targets that mend what a sum of two others gets wrong, such as lids that blink and squint.

A target called `a*b` has the product of the weights of `a` and `b` as its weight; `a*a` has the square. Every
renderer widens a pose's 52 weights with `expand`, and files name the targets so that others can do the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mien.avatar.model import Avatar, Floats, Ints
from mien.face.pose import ARKIT_INDEX

TIMES = "*"


def is_corrective(name: str) -> bool:
    """Return whether a target's name is a product."""
    return TIMES in name


def drivers(name: str) -> tuple[str, str]:
    """Return the two targets whose weights are multiplied."""
    first, _, second = name.partition(TIMES)
    return first, second


def names_of(avatar: Avatar) -> tuple[str, ...]:
    """Return the correctives of all parts, sorted."""
    return tuple(sorted({name for part in avatar.parts for name in part.morphs if is_corrective(name)}))


def pairs(names: Iterable[str]) -> Ints:
    """Return the places (K, 2) of each corrective's drivers among the 52 weights."""
    rows = [[ARKIT_INDEX[driver] for driver in drivers(name)] for name in names]
    return np.array(rows, np.int32).reshape(-1, 2)


def expand(weights: Floats, places: Ints) -> Floats:
    """Return weights (..., 52 + K): those of the 52 targets, then those of the correctives."""
    products = weights[..., places[:, 0]] * weights[..., places[:, 1]]
    return np.concatenate([weights, products], axis=-1)


def split(names: Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return names of targets, and those of correctives."""
    every = list(names)
    return [n for n in every if not is_corrective(n)], [n for n in every if is_corrective(n)]

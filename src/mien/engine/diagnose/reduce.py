"""Delta debugging: the smallest part of a graph that still fails in the same way.

A. Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002 (ddmin), on the nodes
of a graph; the node that a library names, alone and then with those before it, is tried first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from onnx import ModelProto

from mien.engine import graph
from mien.engine.diagnose.part import part

Fails = Callable[[ModelProto], bool]
_MOST: Final = 80  # questions
_DEPTHS: Final = 3  # nodes before the named one, tried with it


class _Over(Exception):  # noqa: N818 - the end of the search, no error
    """The questions or the time are used up."""


class _Search:
    def __init__(self, model: ModelProto, fails: Fails, time_s: float) -> None:
        self._model, self._fails = model, fails
        self._infos = graph.value_infos(model)
        self._end = time.monotonic() + time_s
        self._seen: dict[tuple[int, ...], bool] = {}
        self.best: tuple[int, ...] = ()

    def holds(self, places: Sequence[int]) -> bool:
        """Whether these nodes fail in the same way; the smallest that do are remembered."""
        key = tuple(sorted(places))
        if key not in self._seen:
            if len(self._seen) >= _MOST or time.monotonic() > self._end:
                raise _Over
            made = part(self._model, key, self._infos) if key else None
            self._seen[key] = made is not None and self._fails(made)
            if self._seen[key] and (not self.best or len(key) < len(self.best)):
                self.best = key
        return self._seen[key]

    def made(self) -> ModelProto | None:
        """Return the smallest part found."""
        return part(self._model, self.best, self._infos) if self.best else None


def smallest(
    model: ModelProto, fails: Fails, first: int | None = None, *, time_s: float = 60.0
) -> tuple[ModelProto, int] | None:
    """Return the smallest part found for which `fails` says yes, and its number of nodes (constants aside).

    `first`: the place of the node that is named by the failure. None when no part of known types fails.
    At most 80 questions are asked and no new one after `time_s`.
    """
    found = _Search(model, fails, time_s)
    with suppress(_Over):
        _searched(found, model, first)
    made = found.made()
    return (made, len(found.best)) if made is not None else None


def _searched(found: _Search, model: ModelProto, first: int | None) -> None:
    counted = [place for place, node in enumerate(model.graph.node) if node.op_type != "Constant"]
    if first is not None:
        for places in _around(model, first):
            if found.holds(places):
                _ddmin(found, places)
                return
        counted = _before(model, first)
    if found.holds(counted):
        _ddmin(found, counted)


def _ddmin(found: _Search, places: list[int]) -> None:
    chunks = 2
    while len(places) > 1:
        size = -(-len(places) // chunks)
        parts = [places[at : at + size] for at in range(0, len(places), size)]
        rests = [[p for p in places if p not in set(each)] for each in parts]
        smaller = next((each for each in [*parts, *rests] if each and found.holds(each)), None)
        if smaller is not None:
            chunks = 2 if smaller in parts else max(chunks - 1, 2)
            places = smaller
        elif chunks >= len(places):
            return
        else:
            chunks = min(len(places), 2 * chunks)


def _around(model: ModelProto, first: int) -> list[list[int]]:
    """Return the node alone, with its producers, with theirs."""
    found, places = [[first]], {first}
    for _ in range(_DEPTHS):
        places = places | _producers(model, places)
        if len(places) > len(found[-1]):
            found.append(sorted(places))
    return found


def _before(model: ModelProto, first: int) -> list[int]:
    places = {first}
    while more := _producers(model, places) - places:
        places |= more
    return sorted(places)


def _producers(model: ModelProto, places: set[int]) -> set[int]:
    nodes = model.graph.node
    wanted = {name for place in places for name in [*nodes[place].input, *graph.captured(nodes[place])]}
    return {
        place
        for place, node in enumerate(nodes)
        if node.op_type != "Constant" and wanted & set(node.output) - {""}
    }

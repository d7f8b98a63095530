"""How long a batch takes, learned by measuring: seconds for each number of requests of each kind."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

_NEWEST: Final = 0.2  # the weight of the newest time of a size that was measured before
_MARGINAL: Final = (
    0.5  # of the first request's time: what a further one is taken to cost before it is measured
)
_MOST_KINDS: Final = 256


class Costs:
    """Cost curves by kind; safe to use from several threads.

    Between two measured sizes the curve is a line, beyond the last it goes on with the slope of the last
    two. A kind that was never run is taken as the one that ran last, scaled by the amount of numbers.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._curves: OrderedDict[Hashable, dict[int, float]] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}

    def record(self, kind: Hashable, count: int, seconds: float, numbers: int = 1) -> None:
        """Take in one run; `numbers`: elements of one request's inputs, for guesses on other kinds."""
        with self._lock:
            curve = self._curves.setdefault(kind, {})
            before = curve.get(count)
            curve[count] = seconds if before is None else before + _NEWEST * (seconds - before)
            self._sizes[kind] = numbers
            self._curves.move_to_end(kind)
            if len(self._curves) > _MOST_KINDS:
                gone, _ = self._curves.popitem(last=False)
                del self._sizes[gone]

    def predict(self, kind: Hashable, count: int, numbers: int = 1) -> float:
        """Return the seconds that a batch will take; 0 when nothing was ever measured."""
        with self._lock:
            if kind in self._curves:
                return _on(self._curves[kind], count)
            if not self._curves:
                return 0.0
            like = next(reversed(self._curves))
            return _on(self._curves[like], count) * numbers / max(1, self._sizes[like])

    def curve(self, kind: Hashable) -> dict[int, float]:
        """Return what was measured of a kind: requests → seconds."""
        with self._lock:
            return dict(sorted(self._curves.get(kind, {}).items()))

    def best(self, kind: Hashable, most: int, numbers: int = 1) -> int:
        """Return the size up to `most` whose requests are cheapest; the smaller one of equals.

        Between two measured sizes the cost of one request has no least value of its own. While nothing is
        known it is `most`.
        """
        sizes = {1, most, *(size for size in self._measured(kind) if size <= most)}
        costs = {size: self.predict(kind, size, numbers) / size for size in sizes}
        return min(sizes, key=lambda size: (costs[size], size)) if costs[1] else most

    def _measured(self, kind: Hashable) -> list[int]:
        with self._lock:
            if kind in self._curves:
                return list(self._curves[kind])
            return list(next(reversed(self._curves.values()))) if self._curves else []


def _on(curve: dict[int, float], count: int) -> float:
    sizes = sorted(curve)
    at = bisect_left(sizes, count)
    if at < len(sizes) and sizes[at] == count:
        return curve[count]
    if at == 0:  # fewer than ever measured: never more than those
        return curve[sizes[0]] * max(count / sizes[0], _MARGINAL)
    low = sizes[at - 1]
    if at < len(sizes):
        high = sizes[at]
        return curve[low] + (curve[high] - curve[low]) * (count - low) / (high - low)
    if len(sizes) == 1:
        return curve[low] * (1 + _MARGINAL * (count - low) / low)
    before = sizes[-2]
    slope = max(0.0, (curve[low] - curve[before]) / (low - before))
    return curve[low] + slope * (count - low)

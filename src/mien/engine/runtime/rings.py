"""Arrays for outputs, made once and used again as soon as nobody looks at them any more."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mien.engine.engine import Tensor

_Key = tuple[tuple[int, ...], np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Residency:
    """Bytes of arrays kept (`reserved_bytes`), and of those that somebody holds (`in_use_bytes`).

    `allocated`: arrays made so far; `reused`: times one was used again.
    """

    reserved_bytes: int
    in_use_bytes: int
    largest_free_bytes: int
    allocated: int
    reused: int

    @property
    def fragmentation(self) -> float:
        """The share of the free bytes that the largest free array does not have."""
        free = self.reserved_bytes - self.in_use_bytes
        return 1 - self.largest_free_bytes / free if free else 0.0


class Rings:
    """One ring of arrays for each shape and type; each grows on demand, all together to `limit_bytes`.

    An array is free when nothing but its ring refers to it: numpy makes every view, and views of views, refer
    to the array that owns the memory. Safe to use from several threads.
    """

    def __init__(self, limit_bytes: int = 256 << 20) -> None:
        self._lock = threading.Lock()
        self._limit = limit_bytes
        self._rings: OrderedDict[_Key, list[Tensor]] = OrderedDict()
        self._reserved = self._allocated = self._reused = 0

    def lease(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Tensor:
        """Return an array of any contents; it goes back to its ring by itself.

        Beyond the limit the shapes used longest ago give up their free arrays; when that is not
        enough, the array is an ordinary one.
        """
        with self._lock:
            ring = self._rings.setdefault((shape, dtype), [])
            self._rings.move_to_end((shape, dtype))
            for i in range(len(ring)):
                if _is_free(ring, i):
                    self._reused += 1
                    return ring[i].view()
            made: Tensor = np.empty(shape, dtype)
            self._allocated += 1
            if self._make_room(made.nbytes):
                ring.append(made)
                self._reserved += made.nbytes
            return made.view()

    def residency(self) -> Residency:
        """Return the figures as they are now."""
        with self._lock:
            free = [
                ring[i].nbytes for ring in self._rings.values() for i in range(len(ring)) if _is_free(ring, i)
            ]
            in_use = self._reserved - sum(free)
            return Residency(self._reserved, in_use, max(free, default=0), self._allocated, self._reused)

    def clear(self) -> None:
        """Give up every free array."""
        with self._lock:
            for key in list(self._rings):
                self._give_up(key)

    def _make_room(self, more: int) -> bool:
        for key in list(self._rings)[:-1]:
            if self._reserved + more <= self._limit:
                break
            self._give_up(key)
        return self._reserved + more <= self._limit

    def _give_up(self, key: _Key) -> None:
        ring = self._rings[key]
        left = [ring[i] for i in range(len(ring)) if not _is_free(ring, i)]
        self._reserved -= sum(array.nbytes for array in ring) - sum(array.nbytes for array in left)
        if left:
            self._rings[key] = left
        else:
            del self._rings[key]


def _count(ring: list[Tensor], i: int) -> int:
    return sys.getrefcount(ring[i])


_ALONE: Final = _count([np.empty(1)], 0)  # references to an array that only its ring has


def _is_free(ring: list[Tensor], i: int) -> bool:
    return _count(ring, i) <= _ALONE

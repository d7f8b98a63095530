"""Results of steps kept by what they were made from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Memory:
    """Keeps the last `most` results of each step."""

    most: int = 4
    _steps: dict[str, OrderedDict[Hashable, Any]] = field(default_factory=dict)

    def get(self, step: str, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` returned for this key, else make it now."""
        kept = self._steps.setdefault(step, OrderedDict())
        if key not in kept:
            kept[key] = make()
        kept.move_to_end(key)
        while len(kept) > self.most:
            kept.popitem(last=False)
        return kept[key]  # type: ignore[no-any-return]  # of this step, all are of one type

    def has(self, step: str, key: Hashable) -> bool:
        """Return whether `get` would answer at once."""
        return key in self._steps.get(step, ())

"""How fast a client may send."""

from __future__ import annotations

from mien.live import clock

EVENTS = 300.0  # a second
_WARN_S = 1.0
_PATIENCE = 20  # warnings


class Rate:
    """A bucket that holds `burst` events and fills with `per_s` a second."""

    def __init__(self, per_s: float = EVENTS, burst: float = 600.0) -> None:
        self.per_s, self._burst = per_s, burst
        self._left, self._at = burst, clock.now()
        self._warned, self._warnings = float("-inf"), 0

    def late(self) -> float:
        """Take one event out; return how long it has to wait, s."""
        now = clock.now()
        self._left = min(self._burst, self._left + (now - self._at) * self.per_s) - 1.0
        self._at = now
        return max(0.0, -self._left / self.per_s)

    def warns(self) -> bool:
        """Whether it is time to say so again."""
        now = clock.now()
        due = now - self._warned >= _WARN_S
        if due:
            self._warned, self._warnings = now, self._warnings + 1
        return due

    @property
    def hopeless(self) -> bool:
        """Whether it was said often enough."""
        return self._warnings > _PATIENCE

"""When to stop using what fails, and when to try it again: closed, open, half open; no clock of its own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """`closed`: in use; `open`: not used; `half open`: one try decides."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half open"


@dataclass(slots=True)
class Breaker:
    """Opens at a failure for `cooldown_s`, twice as long after each try that fails, `longest_s` at most.

    Times are seconds of whatever clock the caller has.
    """

    cooldown_s: float = 5.0
    longest_s: float = 300.0
    state: State = State.CLOSED
    reason: str = ""
    _until: float = 0.0
    _wait_s: float = 0.0

    def allows(self, now: float) -> bool:
        """Whether to use it now; the first call after the wait is the try, and no other comes beside it."""
        if self.state is State.CLOSED:
            return True
        if self.state is State.OPEN and now >= self._until:
            self.state = State.HALF_OPEN
            return True
        return False

    def succeeded(self) -> None:
        """Close after a try that went well."""
        if self.state is State.HALF_OPEN:
            self.state, self.reason, self._wait_s = State.CLOSED, "", 0.0

    def failed(self, now: float, reason: str) -> None:
        """Open; a failure that began before it opened changes nothing."""
        if self.state is State.OPEN:
            return
        again = self.state is State.HALF_OPEN
        self._wait_s = min(2 * self._wait_s, self.longest_s) if again and self._wait_s else self.cooldown_s
        self.state, self.reason, self._until = State.OPEN, reason, now + self._wait_s

    def undecided(self, now: float) -> None:
        """Give back a try that told nothing: the next call may be the try."""
        if self.state is State.HALF_OPEN:
            self.state, self._until = State.OPEN, now

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next try."""
        return max(0.0, self._until - now) if self.state is State.OPEN else 0.0

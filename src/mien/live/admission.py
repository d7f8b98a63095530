"""Who may talk: a session that could not be served in time is refused before it begins."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from mien.errors import ResourceError
from mien.live.waterfall import Waterfall

_LAST = 20  # answers that tell how it goes
_LEAST = 4  # fewer tell nothing


class Admission:
    """Counts the sessions of a process: `most` at once, and no more while answers take over `slowest_s`."""

    def __init__(self, most: int = 8, slowest_s: float = 1.5) -> None:
        self.most, self.slowest_s = most, slowest_s
        self.sessions = 0
        self._late: deque[float] = deque(maxlen=_LAST)

    @contextmanager
    def admit(self) -> Iterator[None]:
        """Hold a place for a session; raises `ResourceError` when there is none."""
        if self.sessions >= self.most:
            raise ResourceError(f"{self.sessions} of {self.most} sessions talk already; try again later")
        median_s = self.answered_s
        if self.sessions and median_s > self.slowest_s:
            raise ResourceError(
                f"answers take {median_s:.1f} s now, more than {self.slowest_s:g} s; try again later"
            )
        self.sessions += 1
        try:
            yield
        finally:
            self.sessions -= 1
            if not self.sessions:
                self._late.clear()

    def note(self, waterfall: Waterfall) -> None:
        """Take how long an answer took."""
        if waterfall.answered_s is not None:
            self._late.append(waterfall.answered_s)

    @property
    def answered_s(self) -> float:
        """The median of the last answers, 0 while they are too few to tell."""
        late = sorted(self._late)
        return late[len(late) // 2] if len(late) >= _LEAST else 0.0

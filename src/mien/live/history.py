"""What was said and heard in a session, however long it lasts."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from mien.live.mind import Exchange


@dataclass(slots=True)
class History:
    """The last exchanges: at most `turns`, and `chars` characters; `forgotten` counts those before."""

    turns: int
    chars: int
    forgotten: int = 0
    _kept: deque[Exchange] = field(default_factory=deque)
    _held: int = 0

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Those that are kept, oldest first."""
        return tuple(self._kept)

    def add(self, exchange: Exchange) -> None:
        """Append one; the oldest go when there is too much."""
        self._kept.append(exchange)
        self._held += _length(exchange)
        while len(self._kept) > self.turns or (self._held > self.chars and len(self._kept) > 1):
            self._held -= _length(self._kept.popleft())
            self.forgotten += 1

    def replace_last(self, exchange: Exchange) -> None:
        """Correct the last one."""
        self._held += _length(exchange) - _length(self._kept.pop())
        self._kept.append(exchange)

    def remove_last(self) -> None:
        """Forget the last one, as if it had not been."""
        self._held -= _length(self._kept.pop())


def _length(exchange: Exchange) -> int:
    return len(exchange.user) + len(exchange.answer)

"""What happens in a server, told to whoever counts, traces or logs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mien.live import Waterfall


@dataclass(frozen=True, slots=True)
class Opened:
    """A session began, or somebody came back to it; `owner` is the token's subject."""

    session: str
    persona: str
    owner: str
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Closed:
    """A session is over; `ending` says why, in one word."""

    session: str
    ending: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A session was refused before it began; `code` is that of the error."""

    code: str


@dataclass(frozen=True, slots=True)
class Presented:
    """A client heard the first sound of an answer `ms` after it came; `at_s`: when it said so."""

    session: str
    response: str
    ms: float
    av_offset_ms: float | None
    at_s: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """An answer stopped for the user's voice. `seconds`: from the beginning of the voice to the cut of the
    sound (`face` false), or to the listening face that took the place of the speaking one.
    """

    session: str
    seconds: float
    face: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """A turn is over. Times are the event loop's, s.

    `outcome`: `completed`, `interrupted` or `failed`. `voice_s`: when the user began to speak; None for typed
    words. `underruns`, `clamped`: of this turn. `asked` and `heard` are what people said: nobody may write
    them down unless allowed.
    """

    session: str
    turn: int
    response: str
    persona: str
    outcome: str
    ended_s: float
    waterfall: Waterfall | None = None
    voice_s: float | None = None
    presented: Presented | None = None
    underruns: int = 0
    clamped: Mapping[str, int] = field(default_factory=dict)
    error: str = ""
    asked: str = field(default="", repr=False)
    heard: str = field(default="", repr=False)


Happening = Opened | Closed | Refused | Presented | Stopped | Answered


class Watcher(Protocol):
    """Who wants to know."""

    def see(self, happening: Happening) -> None:
        """Take what happened; returns at once."""

    def close(self) -> None:
        """Write what is left."""


@dataclass(slots=True)
class Watch:
    """Tells all watchers."""

    watchers: list[Watcher] = field(default_factory=list)

    def tell(self, happening: Happening) -> None:
        """Tell what happened."""
        for watcher in self.watchers:
            watcher.see(happening)

    def close(self) -> None:
        """Let all write what is left; may take seconds."""
        for watcher in self.watchers:
            watcher.close()

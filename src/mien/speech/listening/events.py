"""What a listener tells. Every event has its `sample` on the clock of the sound that was pushed, and a
`generation`: a number that grows with each thing that makes void what was prepared before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is written, with the space before it where the language has one.

    `start`, `end`: samples, to about 50 ms; `confidence`: the model's probability, 0 to 1.
    """

    text: str
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class SpeechStarted:
    """Somebody speaks since `sample`; told about 100 ms later."""

    sample: int
    generation: int


@dataclass(frozen=True, slots=True)
class Partial:
    """The words up to `sample`, while they are spoken: the first `stable` will hardly change any more.

    `is_complete`: they are all that was said before the pause that now is; `Final` will hold the same.
    """

    sample: int
    generation: int
    words: tuple[Word, ...]
    stable: int
    language: str
    is_complete: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """Silence since `sample`: the turn may be over.

    What is prepared now holds for this generation: `SpeechStopped` confirms it, `Resumed` makes it void.
    """

    sample: int
    generation: int


@dataclass(frozen=True, slots=True)
class Resumed:
    """The pause was none: speech goes on since `sample`, under a new generation."""

    sample: int
    generation: int


@dataclass(frozen=True, slots=True)
class SpeechStopped:
    """The turn is over; its last voiced sample was `sample`. `Final` or `Dismissed` follows.

    `probability`: what the turn model thought; 0 when it was not asked.
    """

    sample: int
    generation: int
    probability: float


@dataclass(frozen=True, slots=True)
class Final:
    """The words of a turn. `sample`: its last voiced one.

    `is_backchannel`: it only says "mm-hm", "yeah" or the like, which takes no turn from who
    speaks. `revised`: how many words that were called stable came out otherwise.
    """

    sample: int
    generation: int
    words: tuple[Word, ...]
    language: str
    confidence: float
    is_backchannel: bool
    revised: int

    @property
    def text(self) -> str:
        """The words as one text."""
        return text(self.words)


@dataclass(frozen=True, slots=True)
class Dismissed:
    """What started was no speech: `reason` is `noise` (too short) or `no words`."""

    sample: int
    generation: int
    reason: str


@dataclass(frozen=True, slots=True)
class Woken:
    """A wake word was said; `phrase` is which. Before it nothing is told."""

    sample: int
    generation: int
    phrase: str


Event = SpeechStarted | Partial | Pause | Resumed | SpeechStopped | Final | Dismissed | Woken


def text(words: Iterable[Word]) -> str:
    """Return words as one text."""
    return "".join(word.text for word in words).strip()

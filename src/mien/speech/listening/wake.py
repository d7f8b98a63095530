"""Wake words: nothing is told until one is said; then everything, until nobody spoke for a while."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mien.errors import InputError
from mien.speech.listening.agreement import bare
from mien.speech.listening.events import Event, Final, Partial, SpeechStarted, Woken, Word

_FUZZY_FROM = 4  # letters: a longer word may differ in one


@dataclass(frozen=True, slots=True)
class Match:
    """Which phrase was said, and how many of the words were taken by it and what was before it."""

    phrase: str
    taken: int


def find(words: Sequence[Word], phrases: Iterable[str]) -> Match | None:
    """Return the first wake phrase in `words`; one letter of a word of four and more may be wrong."""
    said = [bare(word.text) for word in words]
    for phrase in phrases:
        wanted = [bare(part) for part in phrase.split()]
        whole = "".join(wanted)
        for at in range(len(said)):
            for count in range(1, len(said) - at + 1):
                joined = "".join(said[at : at + count])
                if len(joined) > len(whole) + 1:
                    break
                if is_near(joined, whole):
                    return Match(phrase, at + count)
    return None


def is_near(said: str, wanted: str) -> bool:
    """Whether two words are the same, or of four letters and more and one edit apart."""
    if said == wanted:
        return True
    if len(wanted) < _FUZZY_FROM or abs(len(said) - len(wanted)) > 1:
        return False
    at = next(
        (i for i, (a, b) in enumerate(zip(said, wanted, strict=False)) if a != b), min(len(said), len(wanted))
    )
    one, other = said[at:], wanted[at:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:]


class WakeGate:
    """Lets events through once a wake word was said. Without phrases it lets all through."""

    def __init__(self, phrases: Sequence[str], awake_s: float, rate_hz: int) -> None:
        if any(not bare(phrase) for phrase in phrases):
            raise InputError("a wake word without letters can not be heard; give words such as 'hey mien'")
        self._phrases = tuple(phrases)
        self._awake = round(awake_s * rate_hz)
        self._until = 0
        self._started: SpeechStarted | None = None
        self._taken = 0

    def pass_on(self, event: Event) -> list[Event]:
        """Return what is to be told of an event."""
        if not self._phrases:
            return [event]
        if isinstance(event, SpeechStarted):
            self._started, self._taken = event, 0
        if event.sample < self._until:
            return self._told(event)
        if not isinstance(event, Partial | Final):
            return []
        match = find(event.words, self._phrases)
        if match is None:
            return []
        self._taken = match.taken
        woken: list[Event] = [Woken(event.sample, event.generation, match.phrase)]
        if self._started is not None:
            woken += self._told(replace(self._started, generation=event.generation))
        self._until = event.sample + self._awake
        return woken + self._told(event)

    def wake(self, sample: int) -> list[Event]:
        """Let what is being said through, and what follows `sample`; return what is to be told of it."""
        self._until = sample + self._awake
        return self._told(self._started) if self._started is not None else []

    def _told(self, event: Event) -> list[Event]:
        if isinstance(event, SpeechStarted):
            self._started = None
        if isinstance(event, Final):
            self._until = event.sample + self._awake
        if self._taken and isinstance(event, Partial):
            match = find(event.words, self._phrases)
            taken = match.taken if match else 0
            return [replace(event, words=event.words[taken:], stable=max(0, event.stable - taken))]
        if self._taken and isinstance(event, Final):
            match = find(event.words, self._phrases)
            return [replace(event, words=event.words[match.taken if match else 0 :])]
        return [event]

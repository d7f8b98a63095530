"""Which words of a growing text will stay: those that two passes in a row agree on (LocalAgreement-2).

Macháček et al., Turning Whisper into Real-Time Transcription System, 2023.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from mien.speech.listening.events import Word


class Agreement:
    """The passes over one utterance. Words that were called stable are shown as they were then."""

    def __init__(self) -> None:
        self._before: tuple[Word, ...] = ()
        self.stable: tuple[Word, ...] = ()

    def push(self, words: Sequence[Word]) -> tuple[Word, ...]:
        """Take the words of a pass; return those to show, the stable ones first."""
        count = agreed(self._before, words)
        if count > len(self.stable):
            self.stable += tuple(words[len(self.stable) : count])
        self._before = tuple(words)
        return self.stable + tuple(words[len(self.stable) :])

    def revised(self, words: Sequence[Word]) -> int:
        """Return how many stable words are not those of `words`."""
        return len(self.stable) - agreed(self.stable, words)


def agreed(first: Sequence[Word], second: Sequence[Word]) -> int:
    """Return how many words are the same from the start, but for case and signs."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if bare(one.text) != bare(other.text):
            break
        count += 1
    return count


def bare(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in folded if unicodedata.category(letter)[0] in "LNM")

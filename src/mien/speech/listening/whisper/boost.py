"""Words that a persona expects: their tokens get likelier where they may begin, and once they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mien.errors import InputError
from mien.speech.listening.whisper.vocabulary import Vocabulary

# Added to a logit: a word that half fits wins against a commoner one, silence does not turn into it.
BEGIN, GO_ON = 2.5, 3.0
_MOST = 500  # phrases


@dataclass(frozen=True, slots=True)
class Boost:
    """Phrases as tokens."""

    phrases: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, phrases: Iterable[str], words: Vocabulary) -> Boost:
        """Return the boost of phrases; raises `InputError` for an empty one or for more than 500."""
        spelt = [phrase.strip() for phrase in phrases]
        if not all(spelt) or len(spelt) > _MOST:
            raise InputError(f"{len(spelt)} phrases to expect; give at most {_MOST}, none of them empty")
        return cls(tuple(tuple(words.tokens(start + phrase)) for phrase in spelt for start in (" ", "")))

    def after(self, tokens: Sequence[int]) -> Iterator[tuple[int, float]]:
        """Yield tokens and what is to be added to their logits behind `tokens`."""
        yield from ((phrase[0], BEGIN) for phrase in self.phrases)
        for phrase in self.phrases:
            for known in range(min(len(phrase) - 1, len(tokens)), 0, -1):
                if tuple(tokens[-known:]) == phrase[:known]:
                    yield phrase[known], GO_ON
                    break

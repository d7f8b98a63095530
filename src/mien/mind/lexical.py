"""How alike two texts are by their words: inverse document frequency over words, and over Han bigrams.

Cosine of TF-IDF vectors (Salton and Buckley 1988); a word that no example holds still counts against.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mien.mind.language import tokens

_SUFFIXES = ("ing", "ed", "es", "s")
_LIGHT = 0.4  # the weight of a single Han character beside a pair of them
_STOP = frozenset(
    "a an the to of is are be do does i my me you your it in on at for and can please would".split()
)
_STOP_WEIGHT = 0.25


def terms(text: str) -> dict[str, float]:
    """Return the weights of a text's terms: words without endings, Han characters and their pairs."""
    words = tokens(text)
    weights: dict[str, float] = {}
    for word, after in zip(words, (*words[1:], ""), strict=False):
        if _han(word):
            weights[word] = _LIGHT
            if _han(after):
                weights[word + after] = 1.0
        else:
            weights[stem(word)] = _STOP_WEIGHT if word in _STOP else 1.0
    return weights


def stem(word: str) -> str:
    """Return a word without a common English ending."""
    word = word.removesuffix("'s")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word.removesuffix(suffix).rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


class Lexicon:
    """The examples' terms, ready to be compared with a text."""

    def __init__(self, examples: Sequence[str]) -> None:
        found = [terms(example) for example in examples]
        counts = Counter(term for each in found for term in each)
        self._rare = math.log(1 + len(examples))
        self._idf = {term: math.log(1 + len(examples) / count) for term, count in counts.items()}
        self._columns = {term: column for column, term in enumerate(self._idf)}
        self._matrix = np.zeros((len(examples), len(self._columns)), np.float32)
        for row, each in enumerate(found):
            for term, weight in each.items():
                self._matrix[row, self._columns[term]] = weight * self._idf[term]
        norms = np.linalg.norm(self._matrix, axis=1, keepdims=True)
        self._matrix /= np.maximum(norms, 1e-9)

    def scores(self, text: str) -> NDArray[np.float32]:
        """Return how alike the text is to each example, (examples,) in [0, 1]."""
        vector = np.zeros(len(self._columns), np.float32)
        norm = 0.0
        for term, weight in terms(text).items():
            value = weight * self._idf.get(term, self._rare)
            norm += value * value
            if term in self._columns:
                vector[self._columns[term]] = value
        return np.asarray(self._matrix @ vector / max(math.sqrt(norm), 1e-9), np.float32)


def _han(token: str) -> bool:
    return "\u3400" <= token[:1] <= "\u9fff"

"""Whether somebody has said all they want to say: how it sounded and how it reads, weighed together."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

# A logistic regression on recorded sentences, whole and broken off: benchmarks/turn_ends.py.
_WEIGHTS = (-0.18, 0.63, -2.66, -1.20)
_SURE = 0.99  # the turn model is never taken to be surer
_SHORT = 2  # words that are often written without a full stop
_LAST = re.compile(r"([\w'’]+)[^\w'’]*\Z")
_STOPS = ".!?"

# Words that hardly end what somebody says: what they belong to is still to come.
_OPEN_EN = frozenset(
    "a an the my your our their its his and or but because so if when while although though since unless "
    "until that which who whose than of from with into at by to for is are was were am be been has have had "
    "will would can could shall should may might must i we they he she i'm um uh er erm hmm this these those "
    "there".split()
)
_OPEN_ZH = tuple("和 跟 或者 还是 但是 可是 因为 所以 如果 然后 把 给 从 在 我想 那个 嗯".split())
_MARKED: Mapping[str, frozenset[str]] = {"en": _OPEN_EN}  # languages whose sentences are written with stops


def completeness(probability: float, text: str = "", language: str = "") -> float:
    """Return how likely a turn is over, 0 to 1: from the turn model's `probability`, and from what is
    written of it so far (none: as if it read well).
    """
    return _logistic(sum(w * x for w, x in zip(_WEIGHTS, features(probability, text, language), strict=True)))


def features(probability: float, text: str, language: str) -> tuple[float, float, float, float]:
    """Return the evidence: 1, the logit of the turn model, whether the text asks for another word, whether it
    lacks the stop that is written behind a sentence.
    """
    sure = min(max(probability, 1.0 - _SURE), _SURE)
    logit = math.log(sure / (1.0 - sure))
    return 1.0, logit, float(is_open(text, language)), float(_is_unmarked(text, language))


def least(probability: float) -> float:
    """Return the smallest `completeness` that any text can have."""
    return completeness(probability, "one and the", "en")


def is_open(text: str, language: str) -> bool:
    """Whether a text ends with a word that asks for another."""
    if language == "zh":
        return text.rstrip("，,。. ").endswith(_OPEN_ZH)
    found = _LAST.search(text.lower().replace("’", "'"))
    return found is not None and found[1] in _MARKED.get(language, frozenset())


def _is_unmarked(text: str, language: str) -> bool:
    return language in _MARKED and len(text.split()) > _SHORT and text.strip()[-1] not in _STOPS


def _logistic(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-score))

"""How well a mind's examples tell its topics apart: each, left out once, has to be found by the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from mien.mind.content import Content
from mien.mind.embedding import Vectors
from mien.mind.language import of_text, plain
from mien.mind.understand import Heard, Understander

NEAR = 0.6  # two examples of different topics that are as alike as this say the same
FEW = 3  # examples of a topic in one language


@dataclass(frozen=True, slots=True)
class Trial:
    """One example that was left out: what was found. `got` is empty when nothing was near enough."""

    text: str
    topic: str
    got: tuple[str, ...]

    @property
    def outcome(self) -> str:
        """`right`, `asks` (the right topic is among two), `unknown` or `wrong`."""
        if self.got == (self.topic,):
            return "right"
        if not self.got:
            return "unknown"
        return "asks" if len(self.got) > 1 and self.topic in self.got else "wrong"


@dataclass(frozen=True, slots=True)
class Near:
    """Two examples of different topics that are too much alike."""

    first: str
    second: str
    topics: tuple[str, str]
    score: float


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """All trials, what is too near, and which topics have few examples: (topic, language, count)."""

    trials: tuple[Trial, ...]
    near: tuple[Near, ...] = ()
    few: tuple[tuple[str, str, int], ...] = field(default=())

    def counts(self, topic: str) -> Counter[str]:
        """Return how often each outcome came for a topic."""
        return Counter(trial.outcome for trial in self.trials if trial.topic == topic)

    def confused(self) -> Counter[tuple[str, str]]:
        """Return how often (a topic, another) were mistaken."""
        return Counter((trial.topic, trial.got[0]) for trial in self.trials if trial.outcome == "wrong")


def rehearse(content: Content, understander: Understander) -> Rehearsal:
    """Replay the examples, each without itself and its copies."""
    scores = understander.own_scores()
    texts = [plain(text) for text in understander.examples]
    rows = zip(understander.examples, understander.names, scores.copy(), strict=True)
    trials = []
    for text, topic, row in rows:
        row[[each == plain(text) for each in texts]] = -1.0
        heard = Heard(text, "", understander.ranked(row, of_text(text, "en")))
        trials.append(Trial(text, topic, (heard.clear,) if heard.clear else heard.doubt))
    return Rehearsal(tuple(trials), _near(understander, scores), _few(content))


def _near(understander: Understander, scores: Vectors) -> tuple[Near, ...]:
    found = []
    names, texts = understander.names, understander.examples
    for one, other in np.argwhere(np.triu(scores, 1) >= NEAR).tolist():
        if names[one] != names[other]:
            score = float(scores[one, other])
            found.append(Near(texts[one], texts[other], (names[one], names[other]), score))
    return tuple(sorted(found, key=lambda near: -near.score))


def _few(content: Content) -> tuple[tuple[str, str, int], ...]:
    """Return which topics that answer in a language have few examples in it."""
    return tuple(
        (topic.name, language, count)
        for topic in content.topics.values()
        for language in topic.answer.ways
        if (count := sum(of_text(text, language) == language for text in topic.examples.get(language, ())))
        < FEW
    )

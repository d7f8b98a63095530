"""What was meant: the topics whose examples are nearest to the words, by meaning and by wording."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.mind.content import Content
from mien.mind.embedding import Embedder, Vectors, remembered
from mien.mind.language import of_text, of_turn, plain, tokens
from mien.mind.lexical import Lexicon
from mien.mind.signals import joined, without_fillers
from mien.progress import Progress, silent

# Chosen on the bank's sentences (tests/mind/bank.tsv) and proved on others (bank_unseen.tsv).
ANSWER = 0.35  # as near as this: answer
ASK = 0.29  # as near as this: ask whether that is meant; below: not known
MARGIN = 0.06  # nearer than the next by less than this: ask which of the two
KEPT = 6  # topics of a turn
MEANING = 0.65  # the share of the score that meaning has, the rest is wording


@dataclass(frozen=True, slots=True)
class Match:
    """A topic, and how near the words came to it: 1 is word for word."""

    topic: str
    score: float


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn's words, their language, and the topics they may be about, nearest first."""

    text: str
    language: str
    matches: tuple[Match, ...] = ()

    @property
    def clear(self) -> str | None:
        """The topic that is meant, when there is no doubt."""
        if not self.matches or self.matches[0].score < ANSWER or self.doubt:
            return None
        return self.matches[0].topic

    @property
    def doubt(self) -> tuple[str, ...]:
        """The one or two topics that may be meant; none when it is clear or nothing is near."""
        near = [match for match in self.matches[:2] if match.score >= ASK]
        if not near or (
            near[0].score >= ANSWER and (len(near) < 2 or near[0].score - near[1].score >= MARGIN)
        ):
            return ()
        close = [match.topic for match in near if near[0].score - match.score < MARGIN]
        return tuple(close)


class Understander:
    """Compares words with all examples of a mind; about 10 ms a turn on one core, most of it the model's."""

    def __init__(
        self, content: Content, embedder: Embedder, folder: Path | None = None, progress: Progress = silent
    ) -> None:
        self._content = content
        self._embedder = embedder
        said = {topic.name: tuple(chain(*topic.examples.values())) for topic in content.topics.values()}
        self.names = tuple(name for name, texts in said.items() for _ in texts)
        self.examples = tuple(chain(*said.values()))
        self._exact = {plain(text): name for name, texts in reversed(said.items()) for text in texts}
        greetings = (tokens(text) for topic in said if self._greets(topic) for text in said[topic])
        self._greetings = sorted(greetings, key=len, reverse=True)
        # kept topic by topic: a change in one, or another persona, leaves the others' vectors as they are
        found: list[Vectors] = []
        for done, texts in enumerate(said.values()):
            progress("reading examples", done / len(said))
            found.append(remembered(texts, embedder, folder))
        vectors = np.concatenate(found)
        self._means = _means(vectors, self.examples)
        self._lexicon = Lexicon(self.examples)
        self._vectors = _centred(vectors, self.examples, self._means)

    def hear(self, text: str, before: str) -> Heard:
        """Understand a turn; `before` is the language of the turn before it."""
        language = of_turn(text, before, self._content.languages)
        if not plain(text):
            return Heard(text, language)
        exact = self._exact.get(plain(text))
        if exact:
            return Heard(text, language, self._here((Match(exact, 1.0),), language))
        asked = self._after_greeting(text)
        if asked and (meant := self.hear(asked, language).matches) and meant[0].score >= ANSWER:
            return Heard(text, language, meant)
        return Heard(text, language, self.ranked(self.scores(text), language)[:KEPT])

    def _greets(self, topic: str) -> bool:
        return self._content.topics[topic].kind == "greeting"

    def _after_greeting(self, text: str) -> str:
        """Return the words behind a greeting with which a text begins; `""` where there are none."""
        words = without_fillers(tokens(text), self._content.manners)
        length = next((len(each) for each in self._greetings if words[: len(each)] == each), 0)
        return joined(words[length:]) if length and len(words) > length + 1 else ""

    def scores(self, text: str) -> NDArray[np.float32]:
        """Return how near the text is to each example, (examples,)."""
        vector = _centred(self._embedder.embed([text]), (text,), self._means)[0]
        return self._combined(self._vectors @ vector, text)

    def own_scores(self) -> NDArray[np.float32]:
        """Return how near each example is to each other one, (examples, examples)."""
        near = self._vectors @ self._vectors.T
        return np.stack([self._combined(row, text) for row, text in zip(near, self.examples, strict=True)])

    def ranked(self, scores: NDArray[np.float32], language: str) -> tuple[Match, ...]:
        """Return the topics by the score of their nearest example: those that answer in the language."""
        best: dict[str, float] = {}
        for name, score in zip(self.names, scores.tolist(), strict=True):
            best[name] = max(best.get(name, -1.0), score)
        found = (Match(name, round(score, 4)) for name, score in best.items())
        return self._here(sorted(found, key=lambda match: -match.score), language)

    def _here(self, matches: Iterable[Match], language: str) -> tuple[Match, ...]:
        """Return the matches that answer in the language; all where none of these is near."""
        topics, every = self._content.topics, tuple(matches)
        here = tuple(match for match in every if language in topics[match.topic].answer.ways)
        elsewhere = not here or (here[0].score < ASK and every[0].score >= ANSWER)
        return every if elsewhere else here

    def _combined(self, meaning: NDArray[np.float32], text: str) -> NDArray[np.float32]:
        return np.asarray(MEANING * meaning + (1 - MEANING) * self._lexicon.scores(text), np.float32)


def _means(vectors: Vectors, texts: tuple[str, ...]) -> dict[str, Vectors]:
    """Return the mean vector by language: what all sentences share says nothing about any of them."""
    codes = np.array([of_text(text, "en") for text in texts])
    return {code: vectors[codes == code].mean(axis=0) for code in np.unique(codes).tolist()}


def _centred(vectors: Vectors, texts: Iterable[str], means: dict[str, Vectors]) -> Vectors:
    other = next(iter(means.values()))
    moved = vectors - np.stack([means.get(of_text(text, "en"), other) for text in texts])
    return np.asarray(moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-9), np.float32)

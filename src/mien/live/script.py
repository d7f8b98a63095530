"""Which words of an answer are heard at which sample."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from mien.face.feeling import Emotion
from mien.live.mind import Piece
from mien.speech.breath import Breath
from mien.speech.languages import base
from mien.speech.text import Lexicon, TextStream

_HAN = "\u3040-\u30ff\u3400-\u9fff"
_WORDS = re.compile(rf"\s*(?:[{_HAN}][^\w\s]*|[^\s{_HAN}]+)")
_LETTERS_PER_S = 15.0  # where a breath's length is not known yet


def words(text: str) -> list[str]:
    """Return a text's words, and each Han character, with the space and the marks that belong to them."""
    return _WORDS.findall(text)


@dataclass(frozen=True, slots=True)
class Line:
    """A breath to be spoken, and what the mind wants to know once it was heard."""

    breath: Breath
    state: Any = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What of an answer was heard: `text`, and the last `state` that came with it; `complete`: all of it."""

    text: str
    state: Any
    complete: bool


@dataclass(slots=True)
class _Begun:
    line: Line
    start: int
    end: int | None = None


@dataclass(slots=True)
class Script:
    """The breaths of one answer with their first samples, on the answer's clock."""

    rate_hz: int
    _begun: list[_Begun] = field(default_factory=list)
    finished: bool = False

    def begin(self, line: Line, start: int) -> None:
        """Note that a breath begins at `start`, where the one before ends."""
        self._end(start)
        self._begun.append(_Begun(line, start))

    def finish(self, end: int) -> None:
        """Note that the answer ends at `end`."""
        self._end(end)
        self.finished = True

    @property
    def has_words(self) -> bool:
        """Whether there is anything to hear so far."""
        return any(begun.line.breath.pieces for begun in self._begun)

    def heard(self, sample: int) -> Heard:
        """Return what was heard up to `sample`: a word counts from its middle on. Within a breath, words are
        taken to last in proportion to their letters.
        """
        texts, state, complete = [], None, self.finished
        for begun in self._begun:
            said, unsaid = self._words(begun, sample)
            texts.append("".join(said).strip())
            complete = complete and not unsaid
            if begun.line.state is not None and (said or not unsaid) and begun.start <= sample:
                state = begun.line.state
        return Heard(" ".join(text for text in texts if text), state, complete)

    def _words(self, begun: _Begun, sample: int) -> tuple[list[str], list[str]]:
        """Return the words of a breath that were heard, and those that were not."""
        said = words(begun.line.breath.text)
        if not said:
            return ([], [])
        ends = list(accumulate(len(word) + 1 for word in said))
        length = self._length(begun, ends[-1])
        middles = [(end - (len(word) + 1) / 2) / ends[-1] for word, end in zip(said, ends, strict=True)]
        count = sum(begun.start + middle * length <= sample for middle in middles)
        return (said[:count], said[count:])

    def _length(self, begun: _Begun, letters: int) -> float:
        if begun.end is None:
            return letters / _LETTERS_PER_S * self.rate_hz
        pause = begun.line.breath.pause_s * self.rate_hz
        return max(begun.end - begun.start - pause, 1.0)

    def _end(self, sample: int) -> None:
        if self._begun:
            self._begun[-1].end = sample


class Phrasing:
    """A mind's pieces → breaths, each with the feeling it was given. `grows`: see `Segmenter`."""

    def __init__(self, language: str, lexicon: Lexicon, *, grows: bool = False) -> None:
        self._grows = grows
        self._own = self._language = language
        self._lexicon = lexicon
        self._stream: TextStream | None = None
        self._emotion: Emotion | None = None
        self._state: Any = None
        self._letters = False  # whether the text that is open has any
        self._said = False  # whether one before it had

    def feed(self, piece: Piece) -> list[Line]:
        """Return the breaths that became whole."""
        language = piece.language if piece.language not in ("", base(self._own)) else self._own
        emotion = self._emotion if piece.emotion is None else piece.emotion
        same = (language, emotion) == (self._language, self._emotion)
        lines = [] if same else self._end()
        self._language, self._emotion = language, emotion
        if piece.state is not None:
            self._state = piece.state
        if piece.text and (self._stream is not None or piece.text.strip()):
            self._stream = self._stream or TextStream(
                language=self._language, lexicon=self._lexicon, grows=self._grows
            )
            self._letters = self._letters or any(c.isalnum() for c in piece.text)
            lines += [self._line(breath) for breath in self._stream.feed(piece.text)]
        return lines

    def finish(self) -> list[Line]:
        """Return the rest; raises `InputError` for text that can not be spoken."""
        lines = self._end(last=True)
        return lines if self._state is None else [*lines, self._line(Breath(()))]

    def _end(self, *, last: bool = False) -> list[Line]:
        stream, letters = self._stream, self._letters
        self._stream, self._letters = None, False
        if stream is None or (not letters and (self._said or not last)):  # signs beside words are not said
            return []
        self._said = True
        return [self._line(breath) for breath in stream.finish()]

    def _line(self, breath: Breath) -> Line:
        state, self._state = self._state, None
        felt = breath if self._emotion is None else replace(breath, emotion=self._emotion)
        return Line(felt, state)

"""What a mind says → breaths, ready for a voice, with the feeling of each part."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable
from dataclasses import dataclass, field, replace

from mien.errors import InputError
from mien.face.feeling import Emotion
from mien.mind.template import Part
from mien.speech.breath import Breath
from mien.speech.text import Lexicon, TextStream


@dataclass(slots=True)
class Breaths:
    """Takes parts as they come; returns the breaths that became whole.

    `language` is the persona's own, with its region: parts in the same language are read by its rules. `mood`
    holds where a part brings no feeling.
    """

    language: str
    lexicon: Lexicon | None = None
    mood: Emotion = field(default_factory=Emotion)
    _stream: TextStream | None = None
    _part: Part | None = None

    def feed(self, part: Part) -> list[Breath]:
        """Return the breaths that became whole with a part; another feeling or language ends a breath."""
        last = self._part
        same = last is not None and (last.emotion, last.language) == (part.emotion, part.language)
        before = [] if same else self.finish()
        if self._stream is None:
            self._stream = TextStream(language=self._language(part), lexicon=self.lexicon)
        self._part = part
        return [*before, *self._felt(self._stream.feed(part.text))]

    def finish(self) -> list[Breath]:
        """Return what is left; then a new text may begin."""
        if self._stream is None:
            return []
        try:
            return self._felt(self._stream.finish())
        except InputError:  # only signs or emoji: nothing to say
            return []
        finally:
            self._stream = None

    def _language(self, part: Part) -> str:
        return self.language if self.language.partition("-")[0] == part.language else part.language

    def _felt(self, breaths: Iterable[Breath]) -> list[Breath]:
        feeling = (self._part.emotion if self._part else None) or self.mood
        return [replace(breath, emotion=feeling) for breath in breaths]


async def breaths(parts: AsyncIterable[Part], taker: Breaths) -> AsyncIterator[Breath]:
    """Yield the breaths of an answer's parts as they become whole."""
    async for part in parts:
        for breath in taker.feed(part):
            yield breath
    for breath in taker.finish():
        yield breath

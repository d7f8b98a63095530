"""Text as it arrives → breaths as they become whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Protocol

from mien.errors import InputError
from mien.speech.breath import Breath
from mien.speech.text.clean import Cleaner
from mien.speech.text.items import Atom, Break, Close, Item, MarkAt, Style, Text
from mien.speech.text.lexicon import Lexicon
from mien.speech.text.markdown import Markdown
from mien.speech.text.pieces import realise
from mien.speech.text.segment import Draft, Segmenter
from mien.speech.text.ssml import Ssml
from mien.speech.text.tokens import Token, Tokeniser

MAX_CHARS = 200_000
_SLICE = 512
_SSML_STARTS = ("<speak", "<?xml", "<!DOCTYPE")


class Reader(Protocol):
    """Takes markup apart, chunk by chunk."""

    def feed(self, text: str) -> Iterable[Item]:
        """Return what became known with the next chunk."""

    def finish(self) -> Iterable[Item]:
        """Return what is left."""


class TextStream:
    """Breaths from a text that arrives in pieces, such as a language model's tokens.

    However a text is cut, the same breaths come out. `grows`: see `Segmenter`. `feed` returns those that
    became whole, `finish` the rest. Both raise `InputError` (nothing to speak, too long, wrong SSML).
    """

    def __init__(
        self,
        *,
        language: str,
        lexicon: Lexicon | None = None,
        max_chars: int = MAX_CHARS,
        grows: bool = False,
    ) -> None:
        self._style = Style(language)
        self._lexicon = lexicon or Lexicon()
        self._max_chars = max_chars
        self._chars = 0
        self._spoken = False
        self._head = ""
        self._cleaner = Cleaner()
        self._reader: Reader | None = None
        self._tokeniser = Tokeniser()
        self._segmenter = Segmenter(grows=grows)

    def feed(self, text: str) -> list[Breath]:
        """Return the breaths that became whole with `text`."""
        self._chars += len(text)
        check_length(self._chars, self._max_chars)
        return list(self._breaths(self._items(self._cleaner.feed(text))))

    def finish(self) -> list[Breath]:
        """Return the last breaths; the stream must not be fed again."""
        reader = self._reader or Markdown(self._style)
        items = reader.finish() if self._reader else chain(reader.feed(self._head), reader.finish())
        out = [
            *self._breaths(items),
            *self._realise(self._tokens_left()),
            *self._realise(self._segmenter.finish()),
        ]
        if not self._spoken:
            raise nothing_to_speak(self._chars, self._head)
        return out

    def _items(self, text: str) -> Iterable[Item]:
        if self._reader is None:
            self._head += text
            start = self._head.lstrip()
            if any(s.startswith(start[: len(s)]) and len(start) < len(s) for s in _SSML_STARTS):
                return ()
            text = self._head
            ssml = start.startswith(_SSML_STARTS)
            self._reader = Ssml(self._style) if ssml else Markdown(self._style)
        return self._reader.feed(text)

    def _breaths(self, items: Iterable[Item]) -> Iterator[Breath]:
        for item in items:
            yield from self._realise(self._drafts(item))

    def _drafts(self, item: Item) -> Iterator[Draft]:
        if isinstance(item, Text):
            yield from self._push(self._tokeniser.feed(item.text, item.style))
            return
        yield from self._tokens_left()
        if isinstance(item, Atom):
            space = self._tokeniser.take_space()
            yield from self._segmenter.push(Token(item.text, item.style, space, item.phonemes, final=True))
        elif isinstance(item, Break):
            self._segmenter.pause(item.pause_s)
        elif isinstance(item, MarkAt):
            self._segmenter.mark(item.name)
        elif isinstance(item, Close):
            self._tokeniser.take_space()
            self._segmenter.end(item.kind)

    def _tokens_left(self) -> Iterator[Draft]:
        yield from self._push(self._tokeniser.flush())

    def _push(self, tokens: Iterable[Token]) -> Iterator[Draft]:
        for token in tokens:
            yield from self._segmenter.push(token)

    def _realise(self, drafts: Iterable[Draft]) -> Iterator[Breath]:
        for draft in drafts:
            breath = realise(draft, self._lexicon)
            if breath is not None:
                self._spoken = self._spoken or bool(breath.pieces)
                yield breath


def breaths(
    text: str, *, language: str, lexicon: Lexicon | None = None, max_chars: int = MAX_CHARS
) -> Iterator[Breath]:
    """Return the breaths of `text`, made as they are asked for.

    `text` is SSML when it begins with `<speak`, else plain text, its Markdown, emoji and HTML not
    spoken. `language`: ISO 639-1 with optional region, what the text is in where its script
    does not say otherwise. Raises `InputError` at once for a text that is empty, has nothing to
    speak, is longer than `max_chars`, or is SSML with an error, before any breath is made.
    """
    check_length(len(text), max_chars)
    if text.lstrip().startswith(_SSML_STARTS):
        _check_ssml(text, language)
    rest = _lazily(text, TextStream(language=language, lexicon=lexicon, max_chars=max_chars))
    early: list[Breath] = []
    for breath in rest:
        early.append(breath)
        if breath.pieces:
            break
    return chain(early, rest)


def _lazily(text: str, stream: TextStream) -> Iterator[Breath]:
    for start in range(0, len(text), _SLICE):
        yield from stream.feed(text[start : start + _SLICE])
    yield from stream.finish()


def _check_ssml(text: str, language: str) -> None:
    ssml = Ssml(Style(language))
    for _ in chain(ssml.feed(Cleaner().feed(text)), ssml.finish()):
        pass


def check_length(chars: int, max_chars: int) -> None:
    """Raise `InputError` when a text is too long."""
    if chars > max_chars:
        raise InputError(
            f"the text has {chars:,} characters, the limit is {max_chars:,}; "
            "split it, or raise the limit with max_chars"
        )


def nothing_to_speak(chars: int, head: str) -> InputError:
    """Return the error for a text without words."""
    if not chars or not head.strip():
        return InputError("the text is empty; give words to speak")
    return InputError("the text has nothing to speak (only emoji, code, markup or punctuation); give words")

"""A stream of characters cut into tokens: words, or single characters where a script has no spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from mien.speech.text.items import Style

OPENERS = frozenset("([{“‘«‹„（《「『【〈〔［｛")
CLOSERS = frozenset(")]}”’»›）》」』】〉〕］｝\"'")
_ENDERS = frozenset(".,;:!?…，。！？；：、—–~～·・")
_SUFFIX = CLOSERS | _ENDERS
_TURN = frozenset("，。！？；：、…—”）》」』】〉〕］｝")
# Han, kana, fullwidth forms of letters excluded; Thai, Lao, Khmer, Myanmar: no spaces between words.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)
# A longer run of characters is parted: no word has as many.
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its punctuation; `space`: white space came before it; `final`: spoken as it is."""

    text: str
    style: Style
    space: bool = False
    phonemes: str | None = None
    final: bool = False
    mark: str | None = None

    @property
    def speakable(self) -> bool:
        """Whether anything of it is heard."""
        return self.phonemes is not None or any(map(str.isalnum, self.text))

    @property
    def words(self) -> float:
        """Length in words; a character of a script without spaces is 0.6 of a word."""
        if self.phonemes is not None or self.final:
            return float(max(1, len(self.text.split())))
        if not self.speakable:
            return 0.0
        return 0.6 if UNSPACED.search(self.text) else max(1.0, len(self.text) / 12)

    def with_text(self, text: str) -> Token:
        """Return the token with another text."""
        return replace(self, text=text)


class Tokeniser:
    """Cuts text into tokens, a character at a time; holds the last one until it is known to be whole."""

    def __init__(self) -> None:
        self._core = ""
        self._unspaced = False
        self._turned = False
        self._space = False
        self._style = Style()

    def feed(self, text: str, style: Style) -> Iterator[Token]:
        """Yield the tokens that became whole."""
        if style != self._style:
            yield from self.flush()
            self._style = style
        for char in text:
            if char.isspace():
                yield from self.flush()
                self._space = True
            elif self._starts(char):
                yield from self.flush()
                self._add(char)
            else:
                self._add(char)

    def flush(self) -> Iterator[Token]:
        """Yield the token at hand, if there is one."""
        if self._core:
            yield Token(self._core, self._style, self._space)
            self._core, self._space = "", False
        self._unspaced = self._turned = False

    def take_space(self) -> bool:
        """Return whether white space came since the last token, and forget it."""
        space, self._space = self._space, False
        return space

    def _starts(self, char: str) -> bool:
        if not self._core or (len(self._core) < LONGEST and all(c in OPENERS for c in self._core)):
            return False
        if len(self._core) >= LONGEST:
            return True
        if char in _SUFFIX:
            return False
        if self._turned or self._unspaced:
            return True
        return UNSPACED.match(char) is not None

    def _add(self, char: str) -> None:
        self._core += char
        self._unspaced = self._unspaced or UNSPACED.match(char) is not None
        self._turned = char in _TURN

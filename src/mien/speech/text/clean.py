"""Characters that can not be spoken or shown are dropped before anything reads the text."""

from __future__ import annotations

import functools
import re
from typing import Any

from mien.errors import require

# C0 and C1 controls but tab and newline, soft hyphen, bidi and invisible marks, BOM, non-characters.
_DROPPED = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2069\ufdd0-\ufdef\ufeff\ufff9-\uffff]"
)
_SPACES = re.compile("[\x0c\x85\u2028\u2029]")
_HIGH = re.compile("[\ud800-\udbff]\\Z")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


class Cleaner:
    """Drops what is not text from a stream: controls, bidi marks, lone surrogates; joins surrogate pairs."""

    def __init__(self) -> None:
        self._high = ""
        self._return = False

    def feed(self, text: str) -> str:
        """Return the clean text of the next chunk; any way of cutting a text gives the same whole."""
        text = self._high + text
        half = _HIGH.search(text)
        self._high = half.group() if half else ""
        if half:
            text = text[:-1]
        return clean(self._newlines(text))

    def _newlines(self, text: str) -> str:
        if self._return and text.startswith("\n"):
            text = text[1:]
            self._return = False
        if text:
            self._return = text.endswith("\r")
        return text.replace("\r\n", "\n").replace("\r", "\n")


def clean(text: str) -> str:
    """Drop the characters that can not be spoken from `text`."""
    if text.isascii() and text.isprintable():
        return text
    text = _PAIR.sub(_join, text)
    text = _DROPPED.sub("", _LONE.sub("", text))
    return _SPACES.sub("\n", text)


def _join(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16", "surrogatepass").decode("utf-16")


def without_emoji(text: str) -> str:
    """Put a space for every emoji; each character is judged alone, so a stream may be cut anywhere."""
    if text.isascii():
        return text
    return str(_emoji().sub(" ", text))


@functools.cache
def _emoji() -> Any:
    regex = require("regex", extra="voice")
    # Unicode TR51, less what text uses: digits, the sign of copyright and its kin, punctuation.
    return regex.compile(
        r"[[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\uFE0E\uFE0F\u20E3"
        r"\U000E0020-\U000E007F\u2190-\u21FF\u2500-\u25FF\u2700-\u27BF]--[©®™‼⁉ℹ〰→]]",
        regex.VERSION1,
    )

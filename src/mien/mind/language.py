"""The language of a turn, and words made comparable."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile("[a-z\u00df-\u024f]+(?:['’][a-z]+)?", re.IGNORECASE)
_SHARED = frozenset("ok okay hi hello bye yes no app vip atm sms pin".split())
_TOKEN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]|[^\\W_]+(?:['’][^\\W_]+)?")


def of_text(text: str, otherwise: str) -> str:
    """Return `zh` or `en` by the letters of a text; `otherwise` where they do not tell.

    One Han character weighs half an English word; a word such as "OK", which Chinese speakers use as well,
    alone changes nothing.
    """
    han = len(_HAN.findall(text))
    words = [word for word in _WORD.findall(text) if word.casefold() not in _SHARED]
    if not han and not words:
        return otherwise
    if otherwise not in ("en", "zh") and not han:
        return otherwise
    return "zh" if han / 2 >= len(words) else "en"


def of_turn(text: str, before: str, spoken: Collection[str]) -> str:
    """Return the language in which to answer: the words' own when the persona speaks it, else as before."""
    found = of_text(text, before)
    return found if found in spoken else before


def tokens(text: str) -> tuple[str, ...]:
    """Return lower-case words, and Han characters one by one; punctuation goes."""
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold().replace("’", "'")))


def plain(text: str) -> str:
    """Return a text as its tokens, for comparison."""
    return " ".join(tokens(text))

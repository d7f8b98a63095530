"""Punctuation that voices can hear: where clauses end, and which mark they end with."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Full-width and typographic marks, as the ASCII mark that sounds alike.
_HEARD = str.maketrans(
    {
        "，": ",",
        "、": ",",
        "。": ".",
        "．": ".",
        "！": "!",
        "？": "?",
        "：": ":",
        "；": ";",
        "–": ",",
        "—": ",",
        "…": ".",
        "¿": " ",
        "¡": " ",
        "’": "'",
        "‘": "'",
    }
)
_SILENT = re.compile('[()\\[\\]{}<>«»“”„"《》「」『』【】（）*_~|/\\\\]+')
# A mark ends a clause when a space, a mark or nothing follows: not in "3.5", "10:30" or "e.g".
_END = re.compile(r"\s*([.,!?:;]+)(?=\s|$)\s*")
MARKS = "?!.;:,"  # the strongest first


def ascii_marks(text: str) -> str:
    """Return `text` with its full-width and typographic marks as ASCII and a space after each."""
    wide = re.sub(r"([，、。．！？：；–—…])", r"\1 ", text)
    return wide.translate(_HEARD)


def clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield `(words, mark)`; `mark` is one of `.,!?:;`, or `""` at the end of an unfinished text.

    Of several marks in a row (`"?!"`, `"..."`) the strongest is kept; brackets and quotes are dropped.
    """
    plain = _SILENT.sub(" ", ascii_marks(text))
    at = 0
    for end in _END.finditer(plain):
        words = " ".join(plain[at : end.start()].split())
        if words:
            yield words, min(end.group(1), key=MARKS.index)
        at = end.end()
    rest = " ".join(plain[at:].split())
    if rest:
        yield rest, ""


def leading_mark(text: str) -> str:
    """Return the mark that `text` starts with, or `""`."""
    first = ascii_marks(text).lstrip()[:1]
    return first if first in tuple(MARKS) else ""


def final_mark(text: str) -> str:
    """Return the mark that `text` ends with, or `""`."""
    return leading_mark(ascii_marks(text)[::-1])

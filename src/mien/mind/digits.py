"""Digits as they are spoken: "one two double three", 一二三, "4 5 6"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mien.mind.language import tokens

_WORDS: Final = {
    **dict(zip("zero one two three four five six seven eight nine".split(), "0123456789", strict=True)),
    **dict(zip("〇一二三四五六七八九", "0123456789", strict=True)),
    **dict(zip("零壹贰叁肆伍陆柒捌玖", "0123456789", strict=True)),
    "oh": "0",
    "o": "0",
    "nought": "0",
    "幺": "1",
    "两": "2",
}
_TEENS: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_TIMES: Final = {"double": 2, "triple": 3}
_BETWEEN: Final = frozenset("and dash then um uh 杠 然后 嗯".split())


def runs(text: str) -> list[str]:
    """Return the runs of digits in a text, in order; words between two digits end a run."""
    found: list[str] = [""]
    words = _split(text)
    at = 0
    while at < len(words):
        digits, used = _digits(words, at)
        if digits:
            found[-1] += digits
        elif words[at] not in _BETWEEN and found[-1]:
            found.append("")
        at += max(used, 1)
    return [run for run in found if run]


def _split(text: str) -> list[str]:
    return [part for token in tokens(text) for part in _parts(token)]


def _parts(token: str) -> Iterator[str]:
    """Yield the digits of a token such as "a12" beside its letters."""
    if token.isascii() and token.isalnum() and not token.isalpha() and not token.isdigit():
        yield from ("".join(token[i]) for i in range(len(token)))
    else:
        yield token


def _digits(words: list[str], at: int) -> tuple[str, int]:
    """Return the digits that begin at a word, and how many words they take."""
    word = words[at]
    following = words[at + 1] if at + 1 < len(words) else ""
    if word in _TIMES:
        return _one(following) * _TIMES[word], 2
    if word in _TEENS:
        return str(10 + _TEENS.index(word)), 1
    if word in _TENS:
        tens = str(2 + _TENS.index(word))
        unit = _one(following) if len(following) > 1 else ""
        return (tens + unit, 2) if unit not in ("", "0") else (tens + "0", 1)
    return _one(word), 1


def _one(word: str) -> str:
    return word if word.isascii() and word.isdigit() else _WORDS.get(word, "")


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0

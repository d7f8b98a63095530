"""Small words that steer a conversation: yes, no, cancel, "no, I meant …"."""

from __future__ import annotations

from dataclasses import dataclass

from mien.mind.content import Manners
from mien.mind.language import tokens

_PARTICLES = frozenset("的啊吧呀了呢嘛哦是对好")
SHORT = 7  # tokens: in a longer sentence "cancel" is likely what it is about


@dataclass(frozen=True, slots=True)
class Signal:
    """What a turn begins with, and the words after it."""

    name: str
    rest: str


def begins(text: str, manners: Manners, *names: str) -> Signal | None:
    """Return the signal with which a text begins, fillers aside: the longest phrase wins."""
    words = without_fillers(tokens(text), manners)
    found = [
        (len(phrase), name)
        for name in names
        for phrase in _phrases(manners, name)
        if words[: len(phrase)] == phrase and _whole(phrase, words[len(phrase) :])
    ]
    if not found:
        return None
    length, name = max(found, key=lambda each: each[0])
    return Signal(name, joined(words[length:]))


def holds(text: str, manners: Manners, name: str) -> bool:
    """Whether a short text has the signal anywhere in it."""
    words = tokens(text)
    if len(words) > SHORT + 2 * _han(words):
        return False
    return any(
        words[at : at + len(phrase)] == phrase
        for phrase in _phrases(manners, name)
        for at in range(len(words) - len(phrase) + 1)
    )


def without_fillers(words: tuple[str, ...], manners: Manners) -> tuple[str, ...]:
    """Return the words without "um", "well", 那个 at the beginning."""
    phrases = sorted(_phrases(manners, "fillers"), key=len, reverse=True)
    while words:
        filler = next(
            (each for each in phrases if words[: len(each)] == each and len(words) > len(each)), None
        )
        if filler is None:
            break
        words = words[len(filler) :]
    return words


def joined(words: tuple[str, ...]) -> str:
    """Return words as text; Han characters need no spaces."""
    return "".join(
        word if _han((word,)) and (at == 0 or _han((words[at - 1],))) else (" " + word if at else word)
        for at, word in enumerate(words)
    )


def _whole(phrase: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether a phrase is a word here: a single Han character may be part of a longer one, as 好 in 好像."""
    return len(phrase) > 1 or not _han(phrase) or not after or not _han(after[:1]) or after[0] in _PARTICLES


def _phrases(manners: Manners, name: str) -> list[tuple[str, ...]]:
    return [tokens(phrase) for each in manners.signals.get(name, {}).values() for phrase in each]


def _han(words: tuple[str, ...]) -> bool:
    return any("\u3400" <= word[:1] <= "\u9fff" for word in words)

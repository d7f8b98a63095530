"""Tone sandhi of Standard Chinese: the tones as they are spoken, from the tones as they are written.

Source: Duanmu, The Phonology of Standard Chinese (2007), chapter 11; Chao, A Grammar of Spoken Chinese
(1968), 1.3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

_DIGITS = frozenset("零〇一二三四五六七八九幺")
_ORDINALS = frozenset("第十初")
_LEXICAL = frozenset("统唯单万之专合归划逐周期")  # 一 after these ends a word: 统一, 唯一, 星期一


@dataclass(frozen=True, slots=True)
class Syllable:
    """One written character, its pinyin without tone, and its tone (5 neutral)."""

    char: str
    letters: str
    tone: int
    erhua: bool = False


Word = tuple[Syllable, ...]


def apply(words: Sequence[Word]) -> list[Word]:
    """Return the words of one clause with the tones of 一, 不 and the third tone as spoken."""
    flat = [syllable for word in words for syllable in word]
    ends = {sum(len(word) for word in words[: i + 1]) for i in range(len(words))}
    spoken = [_yi_bu(flat, i, last=i + 1 in ends) for i in range(len(flat))]
    split = iter(spoken)
    regrouped = [tuple(next(split) for _ in word) for word in words]
    return _across([_within(word) for word in regrouped])


def _yi_bu(clause: Sequence[Syllable], i: int, *, last: bool) -> Syllable:
    """Return syllable `i`, with its tone changed when it is 一 or 不. `last`: it ends its word."""
    here = clause[i]
    before = clause[i - 1].char if i else ""
    after = clause[i + 1] if i + 1 < len(clause) else None
    if here.char not in ("一", "不"):
        return here
    if after is not None and before == after.char and before != "得" and before not in _DIGITS:
        return replace(here, tone=5)  # 看一看, 好不好
    if here.char == "不":
        return replace(here, tone=2 if after is not None and after.tone == 4 else 4)
    return replace(here, tone=_yi_tone(before, after, last=last))


def _yi_tone(before: str, after: Syllable | None, *, last: bool) -> int:
    if after is None or (last and before in _LEXICAL):
        return 1
    if before in _DIGITS or before in _ORDINALS or after.char in _DIGITS or after.char in "月号楼":
        return 1
    return 2 if after.tone == 4 or after.letters == "ge" else 4


def _within(word: Word) -> Word:
    """Return a word in which no third tone stands before another."""
    tones = [s.tone for s in word]
    if len(word) == 3 and tones == [3, 3, 3] and _splits_after_first(word):
        tones = [3, 2, 3]
    for i in range(len(tones) - 1):
        if tones[i] == tones[i + 1] == 3:
            tones[i] = 2
    return tuple(replace(s, tone=tone) for s, tone in zip(word, tones, strict=True))


def _splits_after_first(word: Word) -> bool:
    return word[0].char in "小老纸好总很买打找有"


def _across(words: Sequence[Word]) -> list[Word]:
    """Return the words, where a third tone before a third tone of a close neighbour is a second tone."""
    out = [list(word) for word in words]
    for left, right in pairwise(out):
        close = len(left) == 1 or len(right) == 1
        if left and right and close and left[-1].tone == right[0].tone == 3:
            left[-1] = replace(left[-1], tone=2)
    return [tuple(word) for word in out]

"""Mandarin text → syllables with their tones: words, readings of polyphones, sandhi, erhua."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from mien.errors import InputError, require
from mien.speech.phonemes.pinyin import split_tone, syllable_ipa
from mien.speech.phonemes.sandhi import Syllable, Word, apply

HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_HAN_RUN = re.compile(f"[{HAN}]+")

# Words whose readings the dictionary lacks or gives in a rarer sense.
_READINGS = {
    "不得了": "bu4 de2 liao3",
    "行长": "hang2 zhang3", "银行行长": "yin2 hang2 hang2 zhang3", "还钱": "huan2 qian2",
    "还给": "huan2 gei3", "着急": "zhao2 ji2", "地方": "di4 fang5", "觉得": "jue2 de5",
    "供给": "gong1 ji3", "嗯": "en4", "哦": "o4", "呣": "m2", "欸": "ei1", "朋友": "peng2 you5",
    "先生": "xian1 sheng5", "太太": "tai4 tai5", "小姐": "xiao3 jie5", "谢谢": "xie4 xie5",
    "客气": "ke4 qi5", "消息": "xiao1 xi5", "东西": "dong1 xi5", "时候": "shi2 hou5",
    "事情": "shi4 qing5", "知道": "zhi1 dao4", "认识": "ren4 shi5", "明白": "ming2 bai5",
    "告诉": "gao4 su5", "休息": "xiu1 xi5", "意思": "yi4 si5", "漂亮": "piao4 liang5",
    "清楚": "qing1 chu5", "麻烦": "ma2 fan5", "关系": "guan1 xi5", "学生": "xue2 sheng5",
    "晚上": "wan3 shang5", "早上": "zao3 shang5",
}  # fmt: skip

# 儿 that is a syllable of its own after these: 儿 means "child" there.
_CHILD = frozenset("女婴幼孤少胎健宠男产育")
_NO_COMPLEMENT = frozenset("不取获赢难所心求夺总")
_MODAL_DEI = frozenset("我你您他她它们就都还总非可必也只又")


def transcribe(text: str) -> str:
    """Return Chinese `text` in Kokoro's letters, words parted by spaces; what is not Han is left out.

    Raises `MissingError` without the extra `zh`.
    """
    spoken = [_ipa(word) for run in _HAN_RUN.findall(text) for word in apply(list(_words(run)))]
    return " ".join(spoken)


def transcribe_pinyin(pinyin: str) -> str:
    """Return syllables given as pinyin (`"chong2 qing4"`) in Kokoro's letters, as one word.

    The tones are taken as they are. Raises `InputError` for what is no syllable.
    """
    syllables = pinyin.split()
    if not syllables:
        raise InputError("the pinyin is empty; write syllables with tones, as in 'pinyin:chong2 qing4'")
    return "".join(syllable_ipa(syllable) for syllable in syllables)


def readings(text: str) -> list[str]:
    """Return the pinyin of each Han character of `text` as it is spoken (`"ni2"`, `"hao3"`)."""
    spoken = [s for run in _HAN_RUN.findall(text) for word in apply(list(_words(run))) for s in word]
    return [f"{s.letters}{s.tone}" for s in spoken]


def _ipa(word: Word) -> str:
    return "".join(syllable_ipa(f"{s.letters}{s.tone}", erhua=s.erhua) for s in word)


def _words(run: str) -> Iterator[Word]:
    words = _jieba().lcut(run)
    for i, word in enumerate(words):
        before = words[i - 1] if i else ""
        after = words[i + 1] if i + 1 < len(words) else ""
        yield _erhua(_syllables(word, before, after))


def _syllables(word: str, before: str, after: str) -> Word:
    listed = _READINGS.get(word) or _particle(word, before, after)
    spoken = listed.split() if listed else _complement(word, _dictionary(word))
    tones = [split_tone(pinyin) for pinyin in spoken]
    return tuple(Syllable(char, *_citation(char, *tone)) for char, tone in zip(word, tones, strict=True))


def _particle(word: str, before: str, after: str) -> str | None:
    """Return the reading of a word of one character that depends on its neighbours."""
    if word == "得":
        modal = after != "" and (before == "" or before[-1] in _MODAL_DEI)
        return "dei3" if modal else "de5"
    if word == "地":
        return "de5" if before != "" and after != "" and before[-1] not in "这那此土" else "di4"
    if word == "还":
        return "huan2" if after[:1] in tuple("钱书款债清贷") else "hai2"
    if word == "着":
        return "zhe5"
    return None


def _dictionary(word: str) -> list[str]:
    pypinyin = require("pypinyin", extra="zh")
    return list(
        pypinyin.lazy_pinyin(word, style=pypinyin.Style.TONE3, neutral_tone_with_five=True, errors=_letters)
    )


def _complement(word: str, spoken: list[str]) -> list[str]:
    """Return the reading with 得 after a verb neutral (跑得快, 打得), unless it means "get" (取得)."""
    if len(word) in (2, 3) and word[1] == "得" and word[0] not in _NO_COMPLEMENT:
        return [spoken[0], "de5", *spoken[2:]]
    return spoken


def _letters(unknown: str) -> list[str]:
    """Return a neutral vowel for characters that no dictionary knows: rhythm is kept."""
    return ["e5"] * len(unknown)


def _citation(char: str, letters: str, tone: int) -> tuple[str, int]:
    """Return the reading with the tones of 一 and 不 as in isolation: sandhi sets them."""
    if char == "一" and letters == "yi":
        return letters, 1
    if char == "不" and letters == "bu":
        return letters, 4
    return letters, tone


def _erhua(word: Word) -> Word:
    """Return the word with a final 儿 taken into the syllable before it."""
    if len(word) < 2 or word[-1].char != "儿" or word[-2].char in _CHILD:
        return word
    host = word[-2]
    return (*word[:-2], Syllable(host.char + "儿", host.letters, host.tone, erhua=True))


@cache
def _jieba() -> ModuleType:
    jieba = require("jieba", extra="zh")
    jieba.setLogLevel(logging.WARNING)
    return jieba

"""How a persona says particular words: replacements, IPA or pinyin, from TOML or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mien.contents import contents, parse_json, parse_toml
from mien.errors import InputError
from mien.speech.text.tokens import UNSPACED

_PINYIN = re.compile(r"(?:[a-zü]+:?[1-5])(?: [a-zü]+:?[1-5])*\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands for a word: other words, or phonemes (IPA, or `"pinyin:chong2 qing4"`)."""

    text: str
    phonemes: str | None = None


class Lexicon:
    """Words and phrases → how they are said.

    A value is other text (`"sequel"`), IPA between slashes (`"/miːn/"`), or, for Chinese, pinyin
    with tone numbers (`"chong2 qing4"`). A word in lower case matches any case, one with a capital
    only itself. Whole words, the longest first; Chinese words match anywhere.
    """

    def __init__(self, entries: Mapping[str, str] | None = None, *, origin: str = "lexicon") -> None:
        self._origin = origin
        self._exact: dict[str, Entry] = {}
        self._folded: dict[str, Entry] = {}
        for word, value in (entries or {}).items():
            self._add(" ".join(word.split()), value)

    @classmethod
    def load(cls, path: str | Path) -> Lexicon:
        """Read a `.toml` or `.json` file; raises `InputError`, or as `contents` does."""
        path = Path(path)
        try:
            text = contents(path, "lexicon", 'create it with lines such as: SQL = "sequel"').decode()
            data = parse_json(text) if path.suffix.lower() == ".json" else parse_toml(text)
        except ValueError as error:
            kind = "JSON" if path.suffix.lower() == ".json" else "TOML"
            raise InputError(f"lexicon {path} is not {kind}: {error}") from None
        if not isinstance(data, dict):
            raise InputError(
                f"lexicon {path} must map words to how they are said, not be a {type(data).__name__}"
            )
        return cls(data, origin=f"lexicon {path}")

    def __len__(self) -> int:
        return len(self._exact) + len(self._folded)

    def __or__(self, other: Lexicon) -> Lexicon:
        """Return both; an entry of `other` wins."""
        both = Lexicon(origin=other._origin)
        both._exact = self._exact | other._exact
        both._folded = self._folded | other._folded
        return both

    def split(self, text: str) -> Iterator[str | Entry]:
        """Yield the stretches of `text` that are not listed as they are, and what stands for the others."""
        if not len(self):
            yield text
            return
        end = 0
        for match in self._pattern.finditer(text):
            entry = self._find(match.group())
            if entry is not None:
                if match.start() > end:
                    yield text[end : match.start()]
                yield entry
                end = match.end()
        if end < len(text):
            yield text[end:]

    def _find(self, written: str) -> Entry | None:
        word = " ".join(written.split())
        return self._exact.get(word) or self._folded.get(word.lower())

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        exact = [_regex(word) for word in _longest_first(self._exact)]
        folded = [f"(?i:{_regex(word)})" for word in _longest_first(self._folded)]
        return re.compile("|".join(sorted(exact + folded, key=len, reverse=True)))

    def _add(self, word: str, value: object) -> None:
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{self._origin}: {word!r} is {value!r}; give text, /IPA/ or pinyin in quotes")
        if not any(map(str.isalnum, word)):
            raise InputError(f"{self._origin}: {word!r} has no letter or digit; give a word or phrase")
        table = self._folded if word == word.lower() else self._exact
        table[word] = _entry(word, value.strip())


def _entry(word: str, value: str) -> Entry:
    if len(value) > 2 and value[0] == value[-1] == "/":
        return Entry(word, value[1:-1].strip())
    if UNSPACED.search(word) and _PINYIN.match(value.lower()):
        return Entry(word, f"pinyin:{value.lower()}")
    return Entry(value)


def _longest_first(words: Mapping[str, Entry]) -> list[str]:
    return sorted(words, key=len, reverse=True)


def _regex(word: str) -> str:
    """A word with its edges; inside scripts without spaces there are none."""
    body = r"\s+".join(map(re.escape, word.split()))
    left = r"(?<![^\W_])" if word[0].isalnum() and not UNSPACED.match(word[0]) else ""
    right = r"(?![^\W_])" if word[-1].isalnum() and not UNSPACED.match(word[-1]) else ""
    if left:
        left = r"(?<![^\W_\u0e00-\u109f\u3040-\u30ff\u3400-\u9fff])"
    if right:
        right = r"(?![^\W_\u0e00-\u109f\u3040-\u30ff\u3400-\u9fff])"
    return left + body + right

"""espeak-ng's IPA → the letters of Kokoro v1.0, for the languages written with letters.

Kokoro was trained on misaki's transcriptions. The tables say which of its letters stands for which of
espeak-ng's phonemes (facts: misaki's documentation, EN_PHONES.md); diphthongs and affricates
are one letter each. The input has the letters of one phoneme tied by U+0361.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from mien.speech.phonemes.espeak import TIE

_SYLLABIC = "\u0329"
_COMMON = {"a^ɪ": "I", "a^ʊ": "W", "d^ʒ": "ʤ", "e^ɪ": "A", "t^ʃ": "ʧ", "ɔ^ɪ": "Y", "o^ʊ": "O", "ə^ʊ": "Q"}
_ENGLISH = {
    "ʔn" + _SYLLABIC: "tᵊn",
    "ə^l": "ᵊl",
    "ɚɹ": "əɹ",
    "ɚ": "əɹ",
    "ɐ": "ə",
    "ɬ": "l",
    "x": "k",
    "r": "ɹ",
}
_AMERICAN = {"ɜːɹ": "ɜɹ", "ɜː": "ɜɹ", "ɪə": "iə", "ː": "", "ɾ": "T", "ʔ": "t", "o": "ɔ"}
_BRITISH = {"e^ə": "ɛː", "ɪ^ə": "ɪə", "i^ə": "ɪə", "ʔ": "t", "ɾ": "t", "o": "ɔ"}
_OTHER = {"d^z": "ʣ", "t^s": "ʦ", "d^ʑ": "ʥ", "t^ɕ": "ʨ", "s^s": "S", "r": "r"}
# Whole words that have their own unstressed form in Kokoro's training data.
_WEAK = {"ə": "ɐ", "ðɪ": "ði"}


def from_espeak(ipa: str, language: str) -> str:
    """Return tied IPA of `language` (`"en-us"`, `"en-gb"`, `"fr-fr"`) in Kokoro's letters."""
    text = unicodedata.normalize("NFC", ipa).replace(TIE, "^")
    if not language.startswith("en"):
        return _replace(text, _COMMON | _OTHER).replace("^", "").replace("-", "")
    accent = _AMERICAN if language == "en-us" else _BRITISH
    text = _replace(_replace(text, _COMMON | _ENGLISH), accent).replace("^", "")
    text = re.sub(rf"(\w){_SYLLABIC}", r"ᵊ\1", text).replace("-", "")
    return " ".join(_weak(word) for word in text.split(" "))


def _weak(word: str) -> str:
    bare = word.rstrip(".,!?:;")
    return _WEAK.get(bare, bare) + word[len(bare) :]


def _replace(text: str, table: Mapping[str, str]) -> str:
    """Replace each key, the longest first."""
    keys = sorted(table, key=len, reverse=True)
    pattern = re.compile("|".join(re.escape(key) for key in keys))
    return pattern.sub(lambda match: table[match.group()], text)

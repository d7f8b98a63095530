"""Pinyin syllables → IPA in the letters of Kokoro v1.0's vocabulary.

The inventory is Standard Chinese after Duanmu, The Phonology of Standard Chinese (2007), and Lin, The
Sounds of Chinese (2007), in the spelling that Kokoro was trained on: a tone follows the nucleus, as an
arrow; the neutral tone has none.
"""

from __future__ import annotations

import re
import unicodedata

from mien.errors import InputError

TONES = {1: "→", 2: "↗", 3: "↓", 4: "↘", 5: ""}

_INITIALS = {
    "b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t", "t": "tʰ", "n": "n", "l": "l",
    "g": "k", "k": "kʰ", "h": "x", "j": "ʨ", "q": "ʨʰ", "x": "ɕ", "r": "ɻ",
    "zh": "ꭧ", "ch": "ꭧʰ", "sh": "ʂ", "z": "ʦ", "c": "ʦʰ", "s": "s", "": "",
}  # fmt: skip

# "0" is where the tone goes.
_FINALS = {
    "a": "a0", "ai": "ai0", "an": "a0n", "ang": "a0ŋ", "ao": "au0",
    "e": "ɤ0", "ei": "ei0", "en": "ə0n", "eng": "ə0ŋ", "ou": "ou0", "ong": "ʊ0ŋ",
    "i": "i0", "ia": "ja0", "ian": "jɛ0n", "iang": "ja0ŋ", "iao": "jau0", "ie": "je0",
    "in": "i0n", "ing": "i0ŋ", "iong": "jʊ0ŋ", "iou": "jou0", "io": "jɔ0",
    "u": "u0", "ua": "wa0", "uai": "wai0", "uan": "wa0n", "uang": "wa0ŋ", "uei": "wei0",
    "uen": "wə0n", "ueng": "wə0ŋ", "uo": "wo0", "o": "wo0",
    "v": "y0", "ve": "ɥe0", "van": "ɥɛ0n", "vn": "y0n",
}  # fmt: skip

# Interjections and syllables that are no initial with a final.
_WHOLE = {
    "er": "ɚ0",
    "r": "ɚ0",
    "o": "ɔ0",
    "ê": "ɛ0",
    "m": "m0",
    "n": "n0",
    "ng": "ŋ0",
    "hm": "hm0",
    "hng": "hŋ0",
}

_SHORT = {"iu": "iou", "ui": "uei", "un": "uen", "ue": "ve"}
_ACCENTS = {"\u0304": 1, "\u0301": 2, "\u030c": 3, "\u0300": 4}
_SYLLABLE = re.compile(r"(zh|ch|sh|[bpmfdtnlgkhjqxrzcs]?)([aeiouvê]+(?:ng|n)?)")


def syllable_ipa(pinyin: str, *, erhua: bool = False) -> str:
    """Return one syllable in Kokoro's letters; `pinyin` has its tone as a digit (`"lv4"`) or accent (`"lǜ"`).

    `erhua` adds the retroflex ending, before which a final -n or -ng is lost. Raises `InputError` for
    what is no syllable of Standard Chinese.
    """
    letters, tone = split_tone(pinyin)
    ipa = (_WHOLE.get(letters) or _spell(letters, pinyin)).replace("0", TONES[tone])
    return ipa.rstrip("nŋ") + "ɚ" if erhua else ipa


def split_tone(pinyin: str) -> tuple[str, int]:
    """Return letters (ü as v) and tone (1 to 5, 5 neutral) of one syllable."""
    plain = unicodedata.normalize("NFD", pinyin.strip().lower())
    plain = plain.replace("u\u0308", "v").replace("u:", "v").replace("e\u0302", "ê")
    tone = 5
    letters = ""
    for letter in plain:
        if letter in _ACCENTS:
            tone = _ACCENTS[letter]
        elif letter in "012345":
            tone = int(letter) or 5
        else:
            letters += letter
    # ü and ê under an accent decompose with the accent last: put them together again
    return unicodedata.normalize("NFC", letters).replace("ü", "v"), tone


def _spell(letters: str, pinyin: str) -> str:
    match = _SYLLABLE.fullmatch(_full(letters))
    if match is None:
        raise _no_syllable(pinyin)
    initial, final = match.groups()
    if initial in ("j", "q", "x") and final[0] == "u":
        final = "v" + final[1:]
    final = _SHORT.get(final, final)
    if final == "i" and initial in ("zh", "ch", "sh", "r", "z", "c", "s"):
        return _INITIALS[initial] + "ɨ0"
    if final not in _FINALS or (initial == "" and final == "o"):
        raise _no_syllable(pinyin)
    return _INITIALS[initial] + _FINALS[final]


def _full(letters: str) -> str:
    """Return the syllable with its glide written as a final: `yan` → `ian`, `wei` → `uei`, `yu` → `v`."""
    if letters.startswith("yu"):
        return "v" + letters[2:]
    if letters.startswith("y"):
        return letters[1:] if letters[1:2] == "i" else "i" + letters[1:]
    if letters.startswith("w"):
        return letters[1:] if letters[1:2] == "u" else "u" + letters[1:]
    return letters


def _no_syllable(pinyin: str) -> InputError:
    return InputError(
        f"{pinyin!r} is no pinyin syllable; write it as in 'chong2' or 'lv4', tone 5 is neutral"
    )

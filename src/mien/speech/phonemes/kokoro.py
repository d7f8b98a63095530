"""The transcription that Kokoro v1.0 reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from mien.errors import InputError, nearest
from mien.speech.breath import Piece
from mien.speech.languages import base
from mien.speech.phonemes import espeak, mandarin
from mien.speech.phonemes.english import from_espeak
from mien.speech.phonemes.punctuation import MARKS, ascii_marks, final_mark, leading_mark
from mien.speech.phonemes.transcription import Transcription, join

# Every symbol of Kokoro v1.0's vocabulary.
VOCABULARY = frozenset(
    ';:,.!?—…"()“” \u0303ˈˌː↓→↗↘AIOQSTWYᵊᵻᵝʰʲʣʥʦʨꭧʤʧabcdefhijklmnopqrstuvwxyz'
    "ɑɐɒæβɔɕçɖðəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʊʋʌɣɤχʎʒʔ"
)

# Kokoro's languages → espeak-ng's; Mandarin has its own front end.
_ESPEAK = {
    "en": "en-us", "en-us": "en-us", "en-gb": "en-gb", "es": "es", "fr": "fr-fr",
    "hi": "hi", "it": "it", "pt": "pt-br",
}  # fmt: skip
LANGUAGES = frozenset({"en", "es", "fr", "hi", "it", "pt", "zh"})

# IPA that the vocabulary lacks → its nearest symbols.
_NEAREST = {
    "g": "ɡ", "ɫ": "l", "ʐ": "ɻ", "ʑ": "ʝ", "ʀ": "ʁ", "ɦ": "h", "ħ": "h", "ɬ": "l", "ɱ": "m", "ʉ": "u",
    "ɵ": "ə",
    "ʏ": "y", "ɘ": "ə", "ɞ": "ɜ", "ɶ": "œ", "ɭ": "l", "ɮ": "l", "ɺ": "l", "ʍ": "w", "ɓ": "b", "ɗ": "d",
    "ɠ": "ɡ",
    "ɝ": "ɜɹ", "ɫ̩": "ᵊl",
}  # fmt: skip
_TIED = {
    "tʃ": "ʧ", "dʒ": "ʤ", "tɕ": "ʨ", "dʑ": "ʥ", "ts": "ʦ", "dz": "ʣ", "ʈʂ": "ꭧ",
    "aɪ": "I", "aʊ": "W", "eɪ": "A", "oʊ": "O", "əʊ": "Q", "ɔɪ": "Y",
}  # fmt: skip
_LATIN = re.compile(r"[A-Za-z][A-Za-z' .-]*[A-Za-z]|[A-Za-z]")


def transcribe(pieces: Sequence[Piece]) -> Transcription:
    """Return the pieces of a breath in Kokoro's symbols; all are in `VOCABULARY`.

    A piece is read in its own language, so Mandarin and English mix. `Piece.phonemes` wins: IPA, or
    Mandarin syllables as `"pinyin:chong2 qing4"`. Raises `InputError` for a language that Kokoro does not
    speak and for IPA it has no symbol for, `MissingError` without the extras `voice` and `zh`.
    """
    return join(_piece(piece) for piece in pieces)


def _piece(piece: Piece) -> str:
    if piece.phonemes is not None:
        return _given(piece.phonemes) + final_mark(piece.text)
    plain = base(piece.language)
    if plain == "zh":
        return _mandarin(piece.text)
    language = _ESPEAK.get(piece.language.lower(), _ESPEAK.get(plain))
    if language is None:
        raise InputError(f"Kokoro does not speak {piece.language!r}{nearest(plain, LANGUAGES)}")
    return leading_mark(piece.text) + " " + _letters(piece.text, language)


def _letters(text: str, language: str) -> str:
    spoken = from_espeak(espeak.phonemize(text, language, tie=True), language)
    return "".join(symbol for symbol in map_symbols(spoken) if symbol in VOCABULARY)


def _mandarin(text: str) -> str:
    """Return Mandarin with its punctuation; words in Latin letters are read as English."""
    out = ""
    for run in re.findall(rf"[{MARKS}]|[^{MARKS}]+", ascii_marks(text)):
        spoken = run if run in MARKS else _mixed(run)
        out += spoken if run in MARKS or not out or not spoken else " " + spoken
    return re.sub(rf"([{MARKS}])[{MARKS} ]*(?=[{MARKS}])", r"\1", out)


def _mixed(run: str) -> str:
    parts = []
    at = 0
    for latin in _LATIN.finditer(run):
        parts += [mandarin.transcribe(run[at : latin.start()]), _letters(latin.group(), "en-us")]
        at = latin.end()
    parts.append(mandarin.transcribe(run[at:]))
    return " ".join(part for part in parts if part)


def _given(phonemes: str) -> str:
    if phonemes.startswith("pinyin:"):
        return mandarin.transcribe_pinyin(phonemes.removeprefix("pinyin:"))
    spelled = phonemes.replace(espeak.TIE, "").replace("'", "ˈ")
    for letters, symbol in _TIED.items():
        spelled = spelled.replace(letters, symbol)
    spelled = map_symbols(spelled)
    unknown = sorted(set(spelled) - VOCABULARY)
    if unknown:
        raise InputError(
            f"Kokoro has no symbol for {unknown[0]!r} in the phonemes {phonemes!r}; "
            "write IPA, or 'pinyin:ni3 hao3'"
        )
    return spelled


def map_symbols(spelled: str) -> str:
    """Return IPA with what Kokoro lacks replaced by its nearest, and other diacritics dropped."""
    composed = unicodedata.normalize("NFC", spelled)
    mapped = "".join(_NEAREST.get(symbol, symbol) for symbol in composed)
    plain = "".join(s if s in VOCABULARY else unicodedata.normalize("NFD", s) for s in mapped)
    return "".join(s for s in plain if s in VOCABULARY or not unicodedata.combining(s))

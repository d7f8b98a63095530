"""The phonemes that can come out of the built-in voices, and the model symbols they come from."""

from __future__ import annotations

from mien.face.phone import SILENCE

STRESS = {"ˈ": 2, "ˌ": 1}
TONES = frozenset("→↗↓↘")
LONG = "ː"

# Symbols of a vocabulary that are another phoneme, or one that IPA writes with two letters.
LETTERS = {
    "A": "eɪ", "I": "aɪ", "O": "oʊ", "Q": "əʊ", "W": "aʊ", "Y": "ɔɪ", "T": "ɾ", "S": "s", "R": "ɹ",
    "ʤ": "dʒ", "ʧ": "tʃ", "ʦ": "ts", "ʣ": "dz", "ʨ": "tɕ", "ʥ": "dʑ", "ꭧ": "tʂ",
    "ᵊ": "ə", "ᵻ": "ɪ", "ʰ": "h", "ʲ": "j", "ᵝ": "w", "g": "ɡ", "ɫ": "l",
}  # fmt: skip

# Two symbols in a row that are one phoneme.
DIPHTHONGS_AND_AFFRICATES = {
    ("t", "ʃ"): "tʃ", ("d", "ʒ"): "dʒ", ("t", "s"): "ts", ("d", "z"): "dz", ("t", "ɕ"): "tɕ", ("d",
    "ʑ"): "dʑ",
    ("ʈ", "ʂ"): "tʂ", ("t", "ʂ"): "tʂ", ("d", "ʐ"): "dʐ", ("ɖ", "ʐ"): "dʐ", ("p", "f"): "pf",
    ("a", "ɪ"): "aɪ", ("a", "i"): "aɪ", ("ʌ", "ɪ"): "aɪ", ("ɑ", "ɪ"): "aɪ", ("a", "ʊ"): "aʊ", ("a",
    "u"): "aʊ",
    ("e", "ɪ"): "eɪ", ("e", "i"): "eɪ", ("ɛ", "ɪ"): "eɪ", ("æ", "ɪ"): "eɪ", ("o", "ʊ"): "oʊ", ("o",
    "u"): "oʊ",
    ("ə", "ʊ"): "əʊ", ("ɔ", "ɪ"): "ɔɪ", ("ɔ", "ø"): "ɔɪ", ("ɔ", "y"): "ɔɪ",
}  # fmt: skip

# Letters of IPA that are a phoneme by themselves.
SINGLE = frozenset(
    "abcdefhijklmnopqrstuvwxyzæçðøħŋœɐɑɒɓɔɕɖɗɘəɚɛɜɝɞɟɠɡɢɣɤɥɦɨɪɬɭɮɯɰɱɲɳɴɵɶɸɹɺɻɽɾʀʁʂʃʈʉʊʋʌʍʎʏʐʑʒʔʝβθχ"
)

BASE_SYMBOLS: frozenset[str] = SINGLE | set(DIPHTHONGS_AND_AFFRICATES.values()) | set(LETTERS.values())
"""Every phoneme, without length mark."""

PHONE_SYMBOLS: frozenset[str] = BASE_SYMBOLS | {symbol + LONG for symbol in BASE_SYMBOLS} | {SILENCE}
"""Every value that `Phone.symbol` of a built-in voice can have."""

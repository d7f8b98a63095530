"""How wrong words are: the word error rate, and for languages without spaces that of characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from mien.speech.languages import base

_SPACELESS = frozenset("zh ja th lo my yue".split())


def error_rate(reference: str, heard: str, language: str = "en") -> float:
    """Return edits per word of the reference (per character for Chinese, Japanese, Thai and the like).

    Case, signs and diacritics' spelling do not count. Without a reference: 0 when nothing was heard, else 1.
    """
    wanted, got = units(reference, language), units(heard, language)
    if not wanted:
        return float(bool(got))
    return edits(wanted, got) / len(wanted)


def units(text: str, language: str) -> list[str]:
    """Return the words that are compared, or the characters."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("'", "").replace("’", "")
    letters = "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in folded)
    return list(letters.replace(" ", "")) if base(language) in _SPACELESS else letters.split()


def edits(wanted: Sequence[str], got: Sequence[str]) -> int:
    """Return the least substitutions, deletions and insertions between two sequences (Levenshtein)."""
    row = list(range(len(got) + 1))
    for i, one in enumerate(wanted, 1):
        above, row = row, [i]
        for j, other in enumerate(got, 1):
            row.append(min(above[j - 1] + (one != other), above[j] + 1, row[-1] + 1))
    return row[-1]

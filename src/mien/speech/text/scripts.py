"""Text split into stretches of one language by the script its letters are in."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from mien.speech.languages import base

# Script, its letters, the language it stands for, the languages that also write in it.
_SCRIPTS = (
    ("han", "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", "zh", "zh ja yue"),
    ("kana", "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f", "ja", "ja"),
    ("hangul", "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af", "ko", "ko"),
    ("cyrillic", "\u0400-\u052f", "ru", "ru uk be bg sr mk kk ky mn tg"),
    ("greek", "\u0370-\u03ff\u1f00-\u1fff", "el", "el"),
    ("arabic", "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefe", "ar", "ar fa ur ps ug"),
    ("hebrew", "\u0590-\u05ff", "he", "he yi"),
    ("devanagari", "\u0900-\u097f", "hi", "hi mr ne sa"),
    ("thai", "\u0e00-\u0e7f", "th", "th"),
    (
        "latin",
        "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a",
        "en",
        "",
    ),
)
_LATIN_ELSEWHERE = frozenset(
    language for _, _, code, others in _SCRIPTS[:-1] for language in (code, *others.split())
)
_RUN = re.compile(
    "|".join(
        f"(?P<{name}>[{letters}][{letters}\u0300-\u036f\u200c\u200d'’]*)" for name, letters, _, _ in _SCRIPTS
    )
    + r"|(?P<neutral>.)",
    re.DOTALL,
)
_DIGIT = re.compile(r"\d")


def split(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield `(text, language)` for stretches of one language; digits and signs follow what surrounds them.

    `language` (ISO 639-1, optional region) is what the text is said to be in: letters of a
    script that it writes in are its own, others stand for their script's main language.
    """
    runs = _runs(text, language)
    merged: list[tuple[str, str]] = []
    for i, (part, code) in enumerate(runs):
        code = code or _neighbour(runs, i, language)
        if merged and merged[-1][1] == code:
            merged[-1] = (merged[-1][0] + part, code)
        else:
            merged.append((part, code))
    yield from merged


def _runs(text: str, language: str) -> list[tuple[str, str]]:
    """Return runs of letters with their language and runs of anything else with `""`."""
    kana = language[:2] not in ("zh", "ja") and re.search("[\u3040-\u30ff]", text) is not None
    runs: list[tuple[str, str]] = []
    for match in _RUN.finditer(text):
        code = _language(
            match.lastgroup or "neutral", "ja" if kana and match.lastgroup == "han" else language
        )
        if runs and runs[-1][1] == code:
            runs[-1] = (runs[-1][0] + match.group(), code)
        else:
            runs.append((match.group(), code))
    return runs


@functools.lru_cache(256)
def _language(script: str, language: str) -> str:
    plain = base(language)
    for name, _, main, others in _SCRIPTS:
        if name == script == "latin":
            return language if plain not in _LATIN_ELSEWHERE else main
        if name == script:
            return language if plain in others.split() else main
    return ""


def _neighbour(runs: list[tuple[str, str]], i: int, language: str) -> str:
    """Return the language of the signs and digits of run `i`."""
    text = runs[i][0]
    left = runs[i - 1][1] if i else ""
    right = runs[i + 1][1] if i + 1 < len(runs) else ""
    if not left or not right or left == right:
        return left or right or language
    if not _DIGIT.search(text):
        return left
    touches_left, touches_right = not text[:1].isspace(), not text[-1:].isspace()
    if touches_left != touches_right:
        return left if touches_left else right
    return language if language in (left, right) else left

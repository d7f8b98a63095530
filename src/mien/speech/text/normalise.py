"""Numbers, dates, money, units and the like → words, by wetext's grammars and small tables before them."""

from __future__ import annotations

import functools
import re
from itertools import groupby
from typing import Any

from mien.errors import require
from mien.speech.languages import base
from mien.speech.text import english, mandarin

# What wetext's grammars are asked about; everything else is words already.
_SIGNS = "0-9$€£¥￥₩₹%‰@&#+=×÷±°℃℉㎡㎥²³½¼¾⅓⅔"
_WRITTEN = re.compile(f"[{_SIGNS}]")
_CLAUSES = re.compile(r"[^，。！？；]+")
# wetext escapes or trips over these: they part what it is given.
_SAFE = re.compile(r"[^\"\\{}<>\[\]|`“”‘’«»\n]+")


def normalise(text: str, language: str) -> str:
    """Return `text` as it is spoken in `language`; languages but English and Chinese pass through
    (espeak-ng reads their numbers itself). Raises `MissingError` without the `voice` extra.
    """
    plain = base(language)
    if plain == "en":
        return _grammar(english.before(text, language.lower()), "en")
    if plain == "zh":
        return _grammar(mandarin.before(text), "zh")
    return text


def _grammar(text: str, language: str) -> str:
    if not _WRITTEN.search(text):
        return text
    near = _near_english if language == "en" else _near_chinese
    return _SAFE.sub(lambda safe: near(safe.group()), text)


def _near_english(text: str) -> str:
    """Ask only about words with digits or signs and their neighbours: the grammars are slow."""
    words = text.split(" ")
    signs = [_WRITTEN.search(word) is not None for word in words]
    near = [any(signs[max(0, i - 1) : i + 2]) for i in range(len(words))]
    runs = groupby(zip(words, near, strict=True), key=lambda pair: pair[1])
    said = ((" ".join(word for word, _ in run), ask) for ask, run in runs)
    return " ".join(_ask(part, "en") if ask else part for part, ask in said)


def _near_chinese(text: str) -> str:
    """Ask only about clauses with digits or signs."""
    return _CLAUSES.sub(lambda c: _ask(c.group(), "zh") if _WRITTEN.search(c.group()) else c.group(), text)


@functools.lru_cache(4096)
def _ask(text: str, language: str) -> str:
    core = text.strip()
    if not core:
        return text
    head, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    try:
        spoken = str(_normaliser(language).normalize(core))
    except (AssertionError, RuntimeError):  # wetext's way to say that it has no path through a text
        return text
    return head + (spoken or core) + tail


@functools.cache
def _normaliser(language: str) -> Any:
    return require("wetext", extra="voice").Normalizer(lang=language)

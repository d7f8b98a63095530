"""Numbers, dates, money, units and the like → words, by wetext's grammars and small tables before them."""

from __future__ import annotations

import functools
import re
from typing import Any

from mien.errors import require
from mien.speech.text import english, mandarin

# What wetext's grammars are asked about; everything else is words already.
_WRITTEN = re.compile(r"[0-9$€£¥￥₩₹%‰@&#+=×÷±°℃℉㎡㎥²³½¼¾⅓⅔]")
# wetext escapes or trips over these: they part what it is given.
_SAFE = re.compile(r"[^\"\\{}<>\[\]|`“”‘’«»\n]+")


def normalise(text: str, language: str) -> str:
    """Return `text` as it is spoken in `language`; languages but English and Chinese pass through
    (espeak-ng reads their numbers itself). Raises `MissingError` without the `voice` extra.
    """
    base = language.split("-")[0].lower()
    if base == "en":
        return _grammar(english.before(text, language.lower()), "en")
    if base == "zh":
        return _grammar(mandarin.before(text), "zh")
    return text


def _grammar(text: str, language: str) -> str:
    if not _WRITTEN.search(text):
        return text
    return _SAFE.sub(lambda match: _ask(match.group(), language), text)


def _ask(text: str, language: str) -> str:
    core = text.strip()
    if not _WRITTEN.search(core):
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

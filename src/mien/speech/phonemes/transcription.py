"""A breath in the symbols that a voice's model reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mien.speech.phonemes.punctuation import MARKS


@dataclass(frozen=True, slots=True)
class Transcription:
    """`symbols`: one character a model symbol: letters, `ˈˌː`, tones, spaces, punctuation.

    `starts`: for each piece of the breath, the index of its first symbol (emphasis, marks).
    """

    symbols: str
    starts: tuple[int, ...]


def join(parts: Iterable[str]) -> Transcription:
    """Join the pieces' symbols with one space between words and none before a mark."""
    symbols = ""
    starts = []
    for part in parts:
        part = part.strip()
        if not symbols or symbols[-1] in MARKS:
            part = part.lstrip(MARKS + " ")
        if symbols and part and part[0] not in MARKS:
            symbols += " "
        starts.append(len(symbols))
        symbols += part
    return Transcription(symbols, tuple(starts))

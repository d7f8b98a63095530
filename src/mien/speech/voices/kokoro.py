"""Kokoro voices: sentence by sentence, with the times of their phonemes."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from dataclasses import replace

from mien.engine.stop import Stop
from mien.errors import InputError
from mien.speech.breath import Breath, Piece
from mien.speech.languages import base
from mien.speech.phonemes import phones
from mien.speech.phonemes.kokoro import LANGUAGES, transcribe
from mien.speech.voice import SpeechChunk
from mien.speech.voices.kokoro_model import MAX_TOKENS, RATE_HZ, KokoroModel
from mien.speech.voices.kokoro_styles import Styles
from mien.speech.voices.sound import Finish, check, speed
from mien.speech.voices.utterance import check_languages, chunks, marks_of, samples_of, slower
from mien.speech.voices.worker import Worker

BEFORE_S, AFTER_S = 0.06, 0.1  # silence kept around a breath
BETWEEN_S = 0.28  # and behind a sentence inside it
_UNHEARD = ' .,!?;:…—↓→↗↘ː"()“”'
SHORTEST = 12  # symbols of a sentence that is spoken on its own

# A voice's name begins with the letter of its language.
_SPOKEN: Mapping[str, frozenset[str]] = {
    "a": frozenset({"en"}), "b": frozenset({"en"}), "z": frozenset({"zh", "en"}), "e": frozenset({"es"}),
    "f": frozenset({"fr"}), "h": frozenset({"hi"}), "i": frozenset({"it"}), "p": frozenset({"pt"}),
}  # fmt: skip
_SENTENCE, _CLAUSE, _WORD = re.compile(r"[.!?…]+ "), re.compile(r"[;:,—] "), re.compile(" ")
_NAMED = re.compile(r"([a-z])[fm]_")


class KokoroVoice:
    """One of Kokoro's voices, a blend of several, or a voice vector of the user's own."""

    def __init__(self, model: KokoroModel, styles: Styles, *, name: str) -> None:
        self._model = model
        self._styles = styles
        self._name = name
        named = _NAMED.match(name)
        self._accent = "en-gb" if named and named[1] == "b" else "en-us"
        if named and named[1] not in _SPOKEN:
            raise InputError(
                f"voice {name!r}: its language is not spoken yet; voices begin with {' '.join(_SPOKEN)}"
            )
        self._languages = _SPOKEN[named[1]] if named else LANGUAGES
        self._worker = Worker(f"voice-{name}")

    @property
    def rate_hz(self) -> int:
        """Sample rate of the sound, Hz."""
        return RATE_HZ

    @property
    def languages(self) -> frozenset[str]:
        """The languages the voice speaks; a Mandarin voice also reads English words."""
        return self._languages

    def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Speak one breath (its `pause_s` excluded), a chunk a sentence.

        Raises `InputError` for a language the voice does not speak. Closing the generator stops the work.
        """
        return self._worker.stream(lambda stop: self._chunks(breath, stop))

    def _chunks(self, breath: Breath, stop: Stop) -> Generator[SpeechChunk, None, None]:
        check(breath.prosody)
        check_languages(breath, self._name, self._languages)
        said = transcribe([self._in_accent(piece) for piece in breath.pieces])
        stretch = slower(breath, said)
        placed = list(zip(breath.pieces, said.starts, strict=True))
        start = 0
        for first, end in sentences(said.symbols):
            letters = len(said.symbols[first:end].rstrip(_UNHEARD))
            spoken = self._model.speak(
                said.symbols[first:end], self._styles, speed(breath.prosody), stretch[first:end], stop
            ).trimmed(BEFORE_S, AFTER_S if end == len(said.symbols) else BETWEEN_S, letters)
            finish = Finish(breath.prosody, RATE_HZ, len(spoken.sound))
            samples = samples_of(spoken.ends, finish)
            timed = phones(["^", *said.symbols[first:end], "$"], samples, RATE_HZ)
            starts = [(piece, at - first + 1) for piece, at in placed if first <= at < end]
            for chunk in chunks([spoken.sound], finish, RATE_HZ, timed, marks_of(starts, samples)):
                yield _moved(chunk, start)
            start += finish.length

    def _in_accent(self, piece: Piece) -> Piece:
        return replace(piece, language=self._accent) if base(piece.language) == "en" else piece


def sentences(symbols: str, limit: int = MAX_TOKENS) -> Iterator[tuple[int, int]]:
    """Yield `(first, end)` of each sentence; one over `limit` symbols is cut at a clause, else at a word."""
    first = 0
    while first < len(symbols):
        end = _end(symbols, first, limit)
        yield first, end
        first = end


def _end(symbols: str, first: int, limit: int) -> int:
    for stop in _SENTENCE.finditer(symbols, first + SHORTEST):
        if stop.end() <= first + limit:
            return stop.end()
        break
    if len(symbols) <= first + limit:
        return len(symbols)
    for place in (_CLAUSE, _WORD):
        found = [match.end() for match in place.finditer(symbols, first, first + limit)]
        if found:
            return found[-1]
    return first + limit


def _moved(chunk: SpeechChunk, samples: int) -> SpeechChunk:
    return replace(
        chunk,
        start=chunk.start + samples,
        phones=tuple(phone.shifted(samples) for phone in chunk.phones),
        marks=tuple(replace(mark, sample=mark.sample + samples) for mark in chunk.marks),
    )

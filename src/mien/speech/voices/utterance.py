"""A breath's finished stretches of sound, made into the chunks that every voice yields."""

from __future__ import annotations

import unicodedata
from collections.abc import Generator, Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Pcm, Samples
from mien.errors import InputError
from mien.face.phone import Phone
from mien.speech.breath import Breath, Piece
from mien.speech.languages import base
from mien.speech.phonemes import Transcription
from mien.speech.voice import Mark, SpeechChunk
from mien.speech.voices.sound import Finish

# Languages by the script they are written in, where it is not the Latin one (Unicode's names of letters).
_WRITTEN = {
    "CJK": {"zh", "ja"}, "HIRAGANA": {"ja"}, "KATAKANA": {"ja"}, "HANGUL": {"ko"},
    "DEVANAGARI": {"hi", "ne", "mr"},
    "CYRILLIC": {"ru", "uk", "bg", "sr", "kk", "mk", "be"}, "ARABIC": {"ar", "fa", "ur"}, "HEBREW": {"he"},
    "THAI": {"th"}, "GEORGIAN": {"ka"}, "TELUGU": {"te"}, "MALAYALAM": {"ml"},
}  # fmt: skip
EMPHASIS = 0.25  # how much slower a fully emphasised piece is


def check_languages(breath: Breath, name: str, spoken: frozenset[str]) -> None:
    """Raise `InputError` for the first piece in a language or script that the voice `name` does not speak."""
    for piece in breath.pieces:
        foreign = base(piece.language)
        if foreign in spoken and piece.phonemes is None:
            foreign = _foreign_script(piece.text, spoken) or foreign
        if foreign not in spoken:
            raise InputError(
                f"voice {name!r} speaks {', '.join(sorted(spoken))}, not {foreign}: "
                f"{piece.text[:30]!r}; use another voice or persona"
            )


def _foreign_script(text: str, spoken: frozenset[str]) -> str | None:
    """Return the first script in `text` that none of the languages is written in."""
    for letter in filter(str.isalpha, text):
        script = unicodedata.name(letter, "").split(" ")[0]
        if script in _WRITTEN and not _WRITTEN[script] & spoken:
            return script.title() if script != "CJK" else "Chinese characters"
    return None


def samples_of(ends: Sequence[float] | NDArray[np.int64], finish: Finish) -> list[int]:
    """Return each symbol's samples after `finish`, from where each `ends` before; rounding loses none."""
    moved = [0, *(finish.moved(float(end)) for end in ends)]
    return [after - before for before, after in pairwise(moved)]


def marks_of(pieces: Iterable[tuple[Piece, int]], samples: Sequence[int]) -> tuple[Mark, ...]:
    """Return the marks of pieces given with their first symbol; symbol `k` lasts `samples[k]`."""
    begins = np.concatenate([[0], np.cumsum(samples)])
    return tuple(
        Mark(piece.mark or "", int(begins[start]), piece.emphasis)
        for piece, start in pieces
        if piece.mark or piece.emphasis
    )


def chunks(
    parts: Iterable[Samples],
    finish: Finish,
    rate_hz: int,
    phones: tuple[Phone, ...],
    marks: tuple[Mark, ...] = (),
) -> Generator[SpeechChunk, None, None]:
    """Yield the finished sound of `parts`; phones and marks come with the first chunk."""
    start = 0
    for sound in _pushed(parts, finish):
        if len(sound):
            yield SpeechChunk(Pcm(sound, rate_hz), start, phones, marks)
            start += len(sound)
            phones, marks = (), ()


def _pushed(parts: Iterable[Samples], finish: Finish) -> Generator[Samples, None, None]:
    for part in parts:
        yield finish.push(part)
    yield finish.push(np.zeros(0, np.float32), last=True)


def slower(breath: Breath, said: Transcription) -> list[float]:
    """Return how much longer each symbol lasts because its piece is emphasised."""
    factors = [1.0] * len(said.symbols)
    ends = [*said.starts[1:], len(said.symbols)]
    for piece, start, end in zip(breath.pieces, said.starts, ends, strict=True):
        factors[start:end] = [1.0 + EMPHASIS * piece.emphasis] * (end - start)
    return factors

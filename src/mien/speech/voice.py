"""The one form that every voice has."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from mien.audio.pcm import Pcm
from mien.face.phone import Phone
from mien.speech.breath import Breath


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the text, reached at `sample` of the utterance: an SSML mark's `name` (empty: none), and
    the `emphasis` in [0, 1] of the words that begin there.
    """

    name: str
    sample: int
    emphasis: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SpeechChunk:
    """The next stretch of a breath's sound.

    `start`: its first sample, counted from the breath's first. Chunks follow without gap.
    `phones`: phones that became known with this chunk, in order; they may lie ahead of the
    audio, never behind what an earlier chunk ended with. All chunks' phones together cover the
    breath from 0 to its end without gap (silence included).
    """

    pcm: Pcm
    start: int
    phones: tuple[Phone, ...] = ()
    marks: tuple[Mark, ...] = ()


class Voice(Protocol):
    """Text → sound with the times of its phonemes."""

    @property
    def rate_hz(self) -> int:
        """Sample rate of the sound, Hz."""

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes the voice speaks (`"en"`); empty: it does not care."""

    def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Speak one breath (its `pause_s` excluded); inference runs outside the event loop.

        Raises `InputError` for a language the voice does not speak. Closing the generator stops the work.
        """

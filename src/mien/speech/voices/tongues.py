"""One speaker with a voice for each language: who knows Mandarin well may have no good English voice."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace

from mien.speech.breath import Breath
from mien.speech.languages import base
from mien.speech.voice import SpeechChunk, Voice
from mien.speech.voices.resampled import speak_at


@dataclass(frozen=True, slots=True)
class Tongue:
    """The voice of a language; `volume`: dB beside the own voice's, so that both are equally loud."""

    voice: Voice
    volume: float = 0.0


@dataclass(frozen=True, slots=True)
class Tongues:
    """A `Voice` that speaks each breath with the voice of its language, all at the rate of `own`.

    `others`: by ISO 639-1. A breath of several languages is spoken by one voice that knows them all.
    """

    own: Voice
    others: Mapping[str, Tongue]

    @property
    def rate_hz(self) -> int:
        """The own voice's rate, Hz."""
        return self.own.rate_hz

    @property
    def languages(self) -> frozenset[str]:
        """What all voices together speak; empty when the own one does not care."""
        own = self.own.languages
        return own and own.union(self.others)

    def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Speak with the voice of the breath's language; raises what that voice raises."""
        tongue = self._tongue({base(piece.language) for piece in breath.pieces})
        if tongue is None:
            return self.own.speak(breath)
        prosody = replace(breath.prosody, volume=breath.prosody.volume + tongue.volume)
        return speak_at(tongue.voice, replace(breath, prosody=prosody), self.rate_hz)

    def _tongue(self, languages: set[str]) -> Tongue | None:
        """Return the voice for what is spoken, None for the own one."""
        named = [tongue for code, tongue in self.others.items() if code in languages]
        return next((tongue for tongue in named if _speaks(tongue.voice, languages)), None)


def _speaks(voice: Voice, languages: set[str]) -> bool:
    return not voice.languages or languages <= voice.languages

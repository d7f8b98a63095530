"""The voices of one performance, at one rate: the persona's own, and those that SSML calls by name."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace

from mien.errors import InputError
from mien.persona import spec as specs
from mien.speech.breath import Breath
from mien.speech.languages import base
from mien.speech.voice import SpeechChunk, Voice
from mien.speech.voices.resampled import speak_at


@dataclass(slots=True)
class Cast:
    """A `Voice` that lets each breath be spoken by the voice it names.

    `find` loads a voice by name; a voice of another rate is resampled to that of `own`. `volume`: dB
    added to the own voice.
    """

    own: Voice
    find: Callable[[str], Voice]
    volume: float = 0.0
    _others: dict[str, Voice] = field(default_factory=dict)

    @property
    def rate_hz(self) -> int:
        """The own voice's rate, Hz."""
        return self.own.rate_hz

    @property
    def languages(self) -> frozenset[str]:
        """The own voice's languages."""
        return self.own.languages

    def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Speak with the voice that the breath names, or the own one."""
        voice = self._voice(breath.voice)
        _check_language(voice, breath)
        if voice is self.own:
            breath = self.directed(breath)
        return speak_at(voice, breath, self.rate_hz)

    def speaks(self, breath: Breath) -> bool:
        """Return whether the own voice speaks all of a breath's languages."""
        return not self.languages or {base(piece.language) for piece in breath.pieces} <= self.languages

    def directed(self, breath: Breath) -> Breath:
        """Return a breath as the own voice gets it."""
        volume = breath.prosody.volume + self.volume
        return replace(breath, prosody=replace(breath.prosody, volume=volume)) if self.volume else breath

    def _voice(self, name: str | None) -> Voice:
        if name is None:
            return self.own
        if name not in self._others:
            self._others[name] = self.find(name)
        return self._others[name]


def _check_language(voice: Voice, breath: Breath) -> None:
    """Raise `InputError` naming the personas that speak a language that `voice` does not."""
    for piece in breath.pieces:
        code = base(piece.language)
        if voice.languages and code not in voice.languages:
            able = [name for name in specs.names() if base(specs.read(name).language) == code]
            hint = f"use --persona {' or '.join(able)}" if able else "no persona here speaks it"
            spoken = ", ".join(sorted(voice.languages))
            raise InputError(f"{piece.text[:30]!r} is {code}, but the voice speaks {spoken}; {hint}")
